/**
 * The proxy of the variables HTTPS_PROXY and NO_PROXY for connections to checked addresses. `fetch` of the runtime uses
 * the variables by itself.
 */
import net from "node:net";
import tls from "node:tls";
import ipaddr from "ipaddr.js";
import type { ProxySetting } from "../base/proxy-setting.ts";
import { PROXY_RESPONSE_MAX_BYTES } from "../limits/provider-limits.ts";

/** A connection to the proxy. */
export function connectToProxy({ host, port, tls: isTls }: ProxySetting): net.Socket {
  if (!isTls) return net.connect({ host, port, noDelay: true });
  return tls.connect({ host, port, ...(ipaddr.isValid(host) ? {} : { servername: host }) });
}

/**
 * Opens a tunnel to a checked address over a connection to the proxy (CONNECT, RFC 9110, section 9.3.6). The address
 * and not the name: the proxy would resolve the name again, and could reach an internal address. Rejects when the proxy
 * refuses.
 */
export function openTunnel(socket: net.Socket, proxy: ProxySetting, address: string, port: number): Promise<void> {
  const authority = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const login = proxy.authorization === undefined ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  return new Promise((resolve, reject) => {
    let head = "";
    const end = (error?: Error) => {
      socket.off("data", read);
      socket.off("close", closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => end(new Error("the proxy closed the connection"));
    const read = (bytes: Buffer) => {
      head += bytes.toString("latin1");
      const isComplete = head.endsWith("\r\n\r\n");
      if (!isComplete && head.length <= PROXY_RESPONSE_MAX_BYTES) return;
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
      socket.pause();
      end(
        isComplete && status === "200" ? undefined : new Error(`the proxy refused the connection (${status ?? "?"})`),
      );
    };
    socket.on("data", read);
    socket.on("close", closed);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
  });
}
