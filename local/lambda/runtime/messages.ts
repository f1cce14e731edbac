/** What crosses between the cloud and one instance of a function. Payloads cross as JSON text, as they do on AWS. */

export interface InvokeMessage {
  kind: 'invoke';
  requestId: string;
  event: string;
  /** How long the function has; the cloud ends it by force a moment after. */
  timeoutMs: number;
}

/** Says that the reader has taken so many bytes of the response stream, which lets the function write on. */
export interface TakenMessage {
  kind: 'taken';
  bytes: number;
}

export type ToInstance = InvokeMessage | TakenMessage;

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export type FromInstance =
  | { kind: 'ready' }
  | { kind: 'result'; payload: string }
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'failure'; error: FunctionError };

/** What an instance is started with. */
export interface InstanceData {
  codeFolder: string;
  handler: string;
  functionName: string;
  functionArn: string;
  memoryLimitMb: string;
  logGroupName: string;
  clockOffset: SharedArrayBuffer;
}
