package io.rivulet.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The members of ZooKeeper, in the order in which every machine names them. Immutable.
 *
 * @param members each with a port for clients; the two ports behind it are for the other members
 */
record Registry(List<Member> members) {
    private static final int MAX_PORT = 65_533;

    record Member(String host, int port) {
        int peerPort() {
            return port + 1;
        }

        int electionPort() {
            return port + 2;
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** @throws IllegalArgumentException with a reason for users */
    static Registry of(String text) {
        List<Member> members = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Member member = member(one.strip());
            for (Member other : members) {
                if (other.host.equals(member.host) && Math.abs(other.port - member.port) < 3) {
                    throw new IllegalArgumentException(
                            other + " and " + member + " are too close: a member needs its port and the next two");
                }
            }
            members.add(member);
        }
        if (members.size() % 2 == 0) {
            throw new IllegalArgumentException(members.size() + " members survive no more failures than "
                    + (members.size() - 1) + ": name an odd" + " number of them");
        }
        return new Registry(List.copyOf(members));
    }

    private static Member member(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port > 0 && port <= MAX_PORT) {
                return new Member(text.substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("'" + text + "' is no host:port, with a port up to " + MAX_PORT);
    }

    Member member(int id) {
        if (id < 1 || id > members.size()) {
            throw new IllegalArgumentException("there is no member " + id + ": they have the numbers 1 to "
                    + members.size() + ", in the order of --registry");
        }
        return members.get(id - 1);
    }

    /** As a client of ZooKeeper wants it. */
    String connect() {
        return String.join(",", members.stream().map(Member::toString).toList());
    }

    /** As BookKeeper wants it. */
    String metadataUri() {
        return "zk+hierarchical://" + connect().replace(',', ';') + "/ledgers";
    }
}
