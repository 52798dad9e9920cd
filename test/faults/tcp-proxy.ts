/** A wire that can break: between the replicas and what they need. */
import { connect, createServer, type Socket } from "node:net";

export class TcpProxy {
  /** Where connections go; changes when what is behind moves. */
  target: number;
  /** Bytes are delayed by this, in both directions. */
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

  /** A partition: from now on bytes are dropped silently, and connections stay open. */
  drop(): void {
    this.#dropping = true;
  }

  /**
   * The host behind is gone without a word, and another has its place: connections of before stay open and carry
   * nothing, new ones work.
   */
  replaceHost(): void {
    for (const pair of this.#pairs) for (const socket of pair) this.#lost.add(socket);
  }

  /** Whole again. What waited for an answer that was dropped must start anew, so its connections end. */
  heal(): void {
    if (this.#dropping) this.cut();
    this.#dropping = false;
    this.delayMs = 0;
  }

  /** Ends every connection in the middle of whatever it does. */
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
