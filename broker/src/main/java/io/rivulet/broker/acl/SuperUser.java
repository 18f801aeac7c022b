package io.rivulet.broker.acl;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.access.ResourceType;

/** Of a principal that the configuration allows everything, whatever the rules say. Immutable. */
record SuperUser(Principal principal) implements Access {
    @Override
    public boolean isUnlimited() {
        return true;
    }

    @Override
    public boolean may(Operation operation, ResourceType type, String name) {
        return true;
    }

    @Override
    public boolean mayWithAny(Operation operation, ResourceType type) {
        return true;
    }
}
