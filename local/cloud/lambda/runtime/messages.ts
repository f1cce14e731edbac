/** The messages between the local cloud and an instance of a function. Payloads are JSON, as on AWS. */

export interface InvokeMessage {
  kind: 'invoke';
  requestId: string;
  event: string;
  /** The timeout of the function. The cloud terminates it shortly afterwards. */
  timeoutMs: number;
}

/** Acknowledges bytes of the response stream, so the function can write more. */
export interface AcknowledgeMessage {
  kind: 'acknowledge';
  bytes: number;
}

export type ToInstance = InvokeMessage | AcknowledgeMessage;

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

/** The start parameters of an instance. */
export interface InstanceData {
  codeFolder: string;
  handler: string;
  functionName: string;
  functionArn: string;
  memoryLimitMb: string;
  logGroupName: string;
  clockOffset: SharedArrayBuffer;
}
