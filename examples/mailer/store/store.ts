/** What the mailer remembers under a name. */
export interface Row {
  readonly name: string;
  /** Counts the changes of the row: a write says which version it has read. */
  readonly version: number;
  readonly value: string;
}

/** A row that is looked at again: an event that is worked on, or one that failed and waits for a person. */
export interface Open {
  readonly list: 'event' | 'failed';
  readonly dueMs: number;
}

/** Where the mailer remembers. Two processes may use it at once. */
export interface Store {
  read(name: string): Promise<Row | undefined>;
  /** Writes version `known + 1`; false if the row has another version by now, so somebody else was faster. */
  write(
    row: { readonly name: string; readonly value: string; readonly open?: Open | undefined },
    known: number,
  ): Promise<boolean>;
  /** The names that are open in this list and due, the oldest first. */
  open(list: Open['list'], untilMs: number, limit: number): Promise<readonly string[]>;
}

/** A repeated webhook or a replay can come for 30 days, so rows stay longer. */
export const keptSeconds = 40 * 86_400;
