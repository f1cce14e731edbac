import { readFileSync } from 'node:fs';

/** The document that lists what the OpenAPI document cannot say. */
const exceptionsFile = new URL('../../docs/contract-exceptions.md', import.meta.url);

/** One row of the document: a response that differs from what the OpenAPI document promises, and why. */
export interface ContractException {
  /** The check of schemathesis that reports it. */
  readonly check: string;
  /** The operation id, or * for all operations. */
  readonly operation: string;
  /** The error code of the response. */
  readonly code: string;
  /** The parameter that the error names, or * for any or none. */
  readonly param: string;
  readonly reason: string;
}

export function readExceptions(): ContractException[] {
  return readFileSync(exceptionsFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [check = '', operation = '', code = '', param = '', reason = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));
      return { check, operation, code, param, reason };
    });
}

export interface Refusal {
  readonly check: string;
  readonly operation: string;
  readonly code: string | null;
  readonly param: string | null;
}

/** The exception that covers a refusal. An index in a parameter's name does not matter: `members[3].x` is `members[].x`. */
export function exceptionFor(
  exceptions: readonly ContractException[],
  { check, operation, code, param }: Refusal,
): ContractException | undefined {
  const name = param?.replace(/\[\d+\]/g, '[]') ?? '';
  return exceptions.find(
    (exception) =>
      exception.check === check &&
      [operation, '*'].includes(exception.operation) &&
      exception.code === code &&
      [name, '*'].includes(exception.param),
  );
}
