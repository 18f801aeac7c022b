package io.rivulet.prove;

import io.rivulet.prove.churn.ChurnCheck;
import io.rivulet.prove.damage.DamageCheck;
import io.rivulet.prove.damage.ViewsCheck;
import io.rivulet.prove.failover.FailoverCheck;
import io.rivulet.prove.faults.ClockCheck;
import io.rivulet.prove.faults.DiskCheck;
import io.rivulet.prove.faults.HistoryCheck;
import io.rivulet.prove.faults.KillCheck;
import io.rivulet.prove.flood.FloodCheck;
import io.rivulet.prove.hostile.HostileCheck;
import io.rivulet.prove.upgrade.UpgradeCheck;
import java.util.List;

/** All checks, in the order of the table. */
final class Checks {
    private Checks() {}

    static List<Check> all() {
        return List.of(
                new DamageCheck(),
                new ViewsCheck(),
                new DiskCheck(),
                new HostileCheck(),
                new KillCheck(),
                new HistoryCheck(),
                new ClockCheck(),
                new FloodCheck(),
                new ChurnCheck(),
                new UpgradeCheck(),
                new FailoverCheck());
    }
}
