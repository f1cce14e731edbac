import { Explained } from '../explained.ts';

/** A mail, ready to send. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same at each attempt for a mail: a person who gets it twice can see that it is one. */
  readonly messageId: string;
}

/** Hands a mail over to whoever delivers it. */
export interface Sender {
  send(mail: Mail): Promise<void>;
}

/** The provider refuses this mail, and would refuse it again. */
export class NeverSent extends Explained {}
