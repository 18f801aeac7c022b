package io.rivulet.broker.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.config.PrincipalRules;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a handshake, and keeps who the client is, if it has shown a certificate. Closes the connection
 * if its certificate gives no name.
 *
 * <p>Owned by: the event loop of the connection. Any thread may ask for the principal.
 */
public final class ClientCertificate extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<Principal> PRINCIPAL = AttributeKey.valueOf("rivulet.certificate.principal");

    private static final int QUOTED_CHARS = 200;

    private final PrincipalRules rules;

    ClientCertificate(PrincipalRules rules) {
        this.rules = rules;
    }

    /** Who the client is by its certificate. Null if it has shown none. */
    public static @Nullable Principal principal(Channel channel) {
        return channel.attr(PRINCIPAL).get();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
            try {
                keepPrincipal(context.channel());
                context.pipeline().remove(this);
            } catch (SSLException e) {
                context.fireExceptionCaught(e);
                return;
            }
        }
        context.fireUserEventTriggered(event);
    }

    /** The client has no name, and the connection is being closed. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    private void keepPrincipal(Channel channel) throws SSLException {
        String subject =
                subject(channel.pipeline().get(SslHandler.class).engine().getSession());
        if (subject != null) {
            String name = rules.nameOf(subject);
            if (name == null) {
                throw new SSLException("no rule of ssl.principal.mapping.rules gives a name to "
                        + subject.substring(0, Math.min(QUOTED_CHARS, subject.length())));
            }
            channel.attr(PRINCIPAL).set(Principal.user(name));
        }
    }

    /** As RFC 2253 writes it. Null if there is no certificate. */
    private static @Nullable String subject(SSLSession session) {
        try {
            return session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }
}
