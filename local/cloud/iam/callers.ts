import { randomBytes } from 'node:crypto';
import { localAccountId } from '../template/assembly.ts';
import { type AccessRequest, type Decision, decide } from './evaluate.ts';
import type { Statement } from './statement.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The signer of a request: a function with the statements of its role, or the operator, who has all permissions. */
export interface Caller {
  kind: 'function' | 'operator';
  functionName: string;
  /** The function's description in the template. */
  description?: string | undefined;
  roleName: string;
  statements: readonly Statement[];
}

export interface Refusal {
  /** AWS's words, which the function gets. */
  message: string;
  /** The first access request that is not allowed. */
  accessRequest: AccessRequest;
}

/**
 * Identifies callers by their access key id. Signatures are not verified: an id is random, exists as long as this process, and
 * is known to one function only, which is enough to tell functions apart on one machine.
 */
export class Callers {
  readonly #byAccessKeyId = new Map<string, Caller>();

  register(caller: Caller): Credentials {
    // DynamoDB Local accepts letters and digits only.
    const accessKeyId = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
    this.#byAccessKeyId.set(accessKeyId, caller);
    return { accessKeyId, secretAccessKey: randomBytes(20).toString('hex') };
  }

  find(accessKeyId: string): Caller | undefined {
    return this.#byAccessKeyId.get(accessKeyId);
  }
}

/** Why a call is refused, or `undefined` when all of its access requests are allowed. */
export function refusal(caller: Caller, accessRequests: readonly AccessRequest[]): Refusal | undefined {
  if (caller.kind === 'operator') return undefined;
  for (const accessRequest of accessRequests) {
    const decision = decide(caller.statements, accessRequest);
    if (decision !== 'allowed') return { message: refusalMessage(caller, accessRequest, decision), accessRequest };
  }
  return undefined;
}

function refusalMessage(caller: Caller, { action, resource }: AccessRequest, decision: Decision): string {
  const user = `arn:aws:sts::${localAccountId}:assumed-role/${caller.roleName}/${caller.functionName}`;
  const reason =
    decision === 'denied explicitly'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
