/** A connection between the replicas and a dependency that a test can break. */
import { connect, createServer, type Socket } from "node:net";

export class TcpProxy {
  /** The target port; a test changes the port after the dependency moved. */
  target: number;
  /** The delay of bytes in milliseconds, in both directions. */
  delayMs = 0;
  readonly port: number;
  #dropping = false;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #lost = new Set<Socket>();
  readonly #close: () => void;

  private constructor(port: number, target: number, close: () => void) {
    [this.port, this.target, this.#close] = [port, target, close];
  }

  static async to(target: number): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const proxy = new TcpProxy(port, target, () => server.close());
    server.on("connection", (client) => proxy.#join(client));
    return proxy;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Simulates a partition: bytes are dropped silently, and connections stay open. */
  drop(): void {
    this.#dropping = true;
  }

  /** Simulates a silent replacement of the host: old connections stay open without traffic, new connections work. */
  replaceHost(): void {
    for (const pair of this.#pairs) for (const socket of pair) this.#lost.add(socket);
  }

  /** Repairs the connection. Connections that lost bytes end, because a waiting client must reconnect. */
  heal(): void {
    if (this.#dropping) this.cut();
    this.#dropping = false;
    this.delayMs = 0;
  }

  /** Ends every connection at an arbitrary point of the protocol. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.#close();
  }

  #join(client: Socket): void {
    const server = connect(this.target, "127.0.0.1");
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("data", (bytes) => this.#pass(bytes, to));
      from.on("error", () => undefined);
      from.on("close", () => {
        this.#pairs.delete(pair);
        this.#lost.delete(from);
        to.destroy();
      });
    }
  }

  #pass(bytes: Buffer | string, to: Socket): void {
    if (this.#dropping || this.#lost.has(to)) return;
    if (this.delayMs === 0) to.write(bytes);
    else setTimeout(() => to.write(bytes), this.delayMs);
  }
}
