/**
 * One message at a time, in order, with a bound: the single-writer half of an actor. What happens when it is full is
 * the owner's named policy, given as `whenFull`; a mailbox never grows without one.
 */
export interface Mailbox<Message> {
  /** False when the mailbox was full or stopped; `whenFull` was then told. */
  post(message: Message): boolean;
  readonly size: number;
  /** Takes nothing more and resolves once all that was posted is handled. */
  stop(): Promise<void>;
}

export interface MailboxOptions<Message> {
  readonly bound: number;
  readonly handle: (message: Message) => Promise<void> | void;
  readonly whenFull: (message: Message) => void;
  /** A message that cannot be handled must not end the actor; it is reported here and dropped. */
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
