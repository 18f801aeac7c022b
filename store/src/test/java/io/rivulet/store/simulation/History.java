package io.rivulet.store.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What was offered to a store since it was opened, in order, and when each entry was acknowledged. A store has one
 * writer, so at any time its content is the earlier state plus some beginning of this list.
 */
public final class History {
    private static final int NEVER = Integer.MAX_VALUE;

    private enum Fate {
        OPEN,
        STORED,
        REFUSED
    }

    private static final class Offered {
        private final Entry entry;
        private Fate fate = Fate.OPEN;
        private int durableFrom = NEVER;

        Offered(Entry entry) {
            this.entry = entry;
        }
    }

    private final Model base;
    private Model predicted;
    private final List<Offered> offered = new ArrayList<>();

    public History(Model base) {
        this.base = base.copy();
        this.predicted = base.copy();
    }

    /** As it is now. */
    public History copy() {
        History copy = new History(base);
        copy.predicted = predicted.copy();
        for (Offered each : offered) {
            Offered same = new Offered(each.entry);
            same.fate = each.fate;
            same.durableFrom = each.durableFrom;
            copy.offered.add(same);
        }
        return copy;
    }

    /** The state if everything that was offered is stored. */
    public Model predicted() {
        return predicted;
    }

    /** Adds an entry and returns its number. */
    public int offer(Entry entry) {
        offered.add(new Offered(entry));
        entry.applyTo(predicted);
        return offered.size() - 1;
    }

    /** The entry is in the log, but a power cut may remove it. */
    public void stored(int number) {
        offered.get(number).fate = Fate.STORED;
    }

    /** The entry survives every cut from this moment on. */
    public void durable(int number, int moment) {
        offered.get(number).fate = Fate.STORED;
        offered.get(number).durableFrom = moment;
    }

    /** The entry will never be in the log. */
    public void refused(int number) {
        offered.get(number).fate = Fate.REFUSED;
        predicted = base.copy();
        for (Offered entry : offered) {
            if (entry.fate != Fate.REFUSED) {
                entry.entry.applyTo(predicted);
            }
        }
    }

    /** How many entries survive every cut at or after the moment, together with all entries before them. */
    private int certainAt(int moment) {
        int certain = 0;
        for (int i = 0; i < offered.size(); i++) {
            certain = offered.get(i).durableFrom <= moment ? i + 1 : certain;
        }
        return certain;
    }

    /** How many entries are stored, together with all entries before them. */
    public int storedCount() {
        int stored = 0;
        for (int i = 0; i < offered.size(); i++) {
            stored = offered.get(i).fate == Fate.STORED ? i + 1 : stored;
        }
        return stored;
    }

    /** The model of the state after a cut at the moment; the summary identifies it. */
    public Model afterCut(String summary, int moment) {
        return beginning(summary, certainAt(moment));
    }

    /** The model of the state after a kill: everything that had reached the operating system. */
    public Model afterKill(String summary) {
        return beginning(summary, storedCount());
    }

    private Model beginning(String summary, int certain) {
        Model model = base.copy();
        Model atCertain = model;
        boolean lost = false;
        for (int length = 0; length <= offered.size(); length++) {
            boolean matches = model.summary().equals(summary);
            if (matches && length >= certain) {
                return model;
            }
            lost |= matches;
            if (length == certain) {
                atCertain = model.copy();
            }
            if (length < offered.size() && offered.get(length).fate != Fate.REFUSED) {
                offered.get(length).entry.applyTo(model);
            }
        }
        Invariant broken = lost ? Invariant.NO_ACKNOWLEDGED_ENTRY_LOST : Invariant.A_BEGINNING_OF_THE_LOG;
        throw broken.violated("there is\n" + summary + "\nwith " + certain + " of " + offered.size()
                + " entries acknowledged there should be at least\n" + atCertain.summary() + "\nand at most\n"
                + model.summary() + "\nwhich were\n" + lastEntries(certain));
    }

    private String lastEntries(int from) {
        StringBuilder entries = new StringBuilder();
        for (int i = Math.max(0, from - 5); i < Math.min(offered.size(), from + 50); i++) {
            entries.append(i)
                    .append(i < from ? " certain " : " ")
                    .append(offered.get(i).fate)
                    .append(' ')
                    .append(offered.get(i).entry)
                    .append(" at ")
                    .append(offered.get(i).durableFrom)
                    .append('\n');
        }
        return entries.toString();
    }
}
