/** Why a command did not do what was asked. Anything else that is thrown is a fault, of the network or of this tool. */
export class AdminFailure extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2;
  /** The argument that is to blame, as the help names it. */
  readonly argument: string | undefined;

  constructor(code: string, message: string, { exitCode, argument }: { exitCode: 1 | 2; argument?: string }) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.argument = argument;
  }
}

/** The command was not understood: nothing was tried. */
export function usageError(message: string, argument?: string): AdminFailure {
  return new AdminFailure('usage_error', message, { exitCode: 2, ...(argument === undefined ? {} : { argument }) });
}

/** The command was understood and refused, or could not be carried out. */
export function refusal(code: string, message: string): AdminFailure {
  return new AdminFailure(code, message, { exitCode: 1 });
}
