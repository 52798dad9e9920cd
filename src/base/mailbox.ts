/**
 * A bounded queue that handles messages in sequence and in order: the single writer of an actor. `whenFull` is the
 * owner's policy for a message beyond the bound.
 */
export interface Mailbox<Message> {
  /** False when the mailbox was full or stopped; `whenFull` was then called. */
  post(message: Message): boolean;
  readonly size: number;
  /** Accepts no further messages and resolves when all posted messages are handled. */
  stop(): Promise<void>;
}

export interface MailboxOptions<Message> {
  readonly bound: number;
  readonly handle: (message: Message) => Promise<void> | void;
  readonly whenFull: (message: Message) => void;
  /** A message whose handling fails is reported here and dropped; the actor continues. */
  readonly onError: (error: unknown, message: Message) => void;
}

export function openMailbox<Message>(options: MailboxOptions<Message>): Mailbox<Message> {
  const waiting: Message[] = [];
  let stopped = false;
  let draining = false;
  let drained: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    draining = true;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      try {
        const pending = options.handle(message);
        if (pending) await pending;
      } catch (error) {
        options.onError(error, message);
      }
    }
    draining = false;
  }

  return {
    post(message) {
      if (stopped || waiting.length >= options.bound) {
        options.whenFull(message);
        return false;
      }
      waiting.push(message);
      if (!draining) drained = drain();
      return true;
    },
    get size() {
      return waiting.length;
    },
    async stop() {
      stopped = true;
      await drained;
    },
  };
}
