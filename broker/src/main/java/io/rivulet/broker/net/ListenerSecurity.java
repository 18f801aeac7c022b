package io.rivulet.broker.net;

import io.rivulet.broker.access.AccessControl;
import io.rivulet.broker.sasl.Logins;
import io.rivulet.broker.tls.Encryption;

/** What protects the listeners. Immutable. */
public record ListenerSecurity(Encryption encryption, Logins logins, AccessControl accessControl) {}
