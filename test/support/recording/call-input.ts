export type Values = Readonly<Record<string, unknown>>;

/** The input of one call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Values;
  /** The fan of the demo who is signed in; by default the linked one where the operation needs a fan, and otherwise nobody. */
  readonly fan?: 'linked' | 'verified';
}

/** What a call can build on. */
export interface CallContext {
  readonly orgId: string;
  /** The address of a receiver that acknowledges everything. */
  readonly receiverUrl: string;
  /** The response of a call before. */
  of(operationId: string): Values;
  /** Calls an operation without recording it, to prepare the recorded call. */
  send(operationId: string, input: CallInput): Promise<Values>;
  /** Repeats a call until its response is as expected: some things happen after the response of the call that caused them. */
  until(operationId: string, input: CallInput, isReady: (response: Values) => boolean): Promise<void>;
}

export type MakeInput = (context: CallContext) => CallInput | Promise<CallInput>;

export function itemsOf({ data }: Values): readonly Values[] {
  return Array.isArray(data) ? data : [];
}
