import { randomBytes } from 'node:crypto';
import { localAccountId } from '../template/assembly.ts';
import { type Decision, type Demand, decide } from './evaluate.ts';
import type { Statement } from './statement.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Who signs a request: a function with the statements of its role, or the operator, who may do everything. */
export interface Caller {
  kind: 'function' | 'operator';
  functionName: string;
  roleName: string;
  statements: readonly Statement[];
}

/**
 * Knows callers by their access key id. Signatures are not verified: an id is random, lives as long as this process, and is
 * known to one function only, which is enough to tell functions apart on one machine.
 */
export class Callers {
  private readonly byAccessKeyId = new Map<string, Caller>();

  admit(caller: Caller): Credentials {
    // DynamoDB Local accepts letters and digits only.
    const accessKeyId = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
    this.byAccessKeyId.set(accessKeyId, caller);
    return { accessKeyId, secretAccessKey: randomBytes(20).toString('hex') };
  }

  find(accessKeyId: string): Caller | undefined {
    return this.byAccessKeyId.get(accessKeyId);
  }
}

/** The words AWS refuses with, or `undefined` when all demands are allowed. */
export function refusal(caller: Caller, demands: readonly Demand[]): { action: string; message: string } | undefined {
  if (caller.kind === 'operator') return undefined;
  for (const demand of demands) {
    const decision = decide(caller.statements, demand);
    if (decision !== 'allowed') return { action: demand.action, message: refusalMessage(caller, demand, decision) };
  }
  return undefined;
}

function refusalMessage(caller: Caller, { action, resource }: Demand, decision: Decision): string {
  const user = `arn:aws:sts::${localAccountId}:assumed-role/${caller.roleName}/${caller.functionName}`;
  const reason =
    decision === 'denied explicitly'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
