import { tokenStart } from '../../shared/http/auth/signed-token.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { failureOf, refusal, usageError } from '../failure.ts';
import { printable } from '../output/text.ts';
import { type Approval, approvalsIn, requireSameRun } from './approvals.ts';
import { requestOf, send } from './request.ts';
import { findStage } from './stage.ts';

interface Surroundings {
  readonly localFolder: string;
  nowMs(): number;
  print(text: string): void;
  printError(line: string): void;
  /** Asks the person at the terminal, without showing what they type; undefined if there is no terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined;
}

const usage = `npm run approve -- <approval_id>

Carries out what an assistant proposed. It shows exactly what is sent, and asks for your own API key, which it does not keep. Ctrl-C leaves it.
The assistant's answer has the approval_id. An approval is carried out once.`;

/** Carries a proposed call out with the key of the person, who sees first exactly what is sent. Returns the exit code. */
export async function approve(argv: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    const [id, ...rest] = argv;
    if (id === '--help' || id === '-h') {
      surroundings.print(usage);
      return 0;
    }
    if (id === undefined || rest.length > 0) throw usageError('npm run approve -- <approval_id>');
    await carryOut(id, surroundings);
    return 0;
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    surroundings.printError(printable(message));
    return exitCode;
  }
}

async function carryOut(id: string, { localFolder, nowMs, print, askSecret }: Surroundings): Promise<void> {
  const approvals = approvalsIn(localFolder, nowMs);
  const approval = approvals.find(id);
  const stage = await findStage(approval.stage, localFolder);
  requireSameRun(approval, stage);
  const operation = operationOf(approval);
  const request = requestOf(operation, approval.arguments);
  print(`${operation.summary} (${operation.id}) of ${approval.org_id} on ${stage.name}`);
  print(`${request.method} ${request.path}`);
  if (request.body !== undefined) print(visible(request.body));
  if (approval.preview !== null) print(`The object, as the assistant saw it:\n${visible(approval.preview)}`);
  if (askSecret === undefined) throw refusal('no_terminal', 'Run npm run approve in a terminal: it asks for your key.');
  const key = (await askSecret('Your API key, to carry it out (Ctrl-C to leave it): ')).trim();
  requireKeyOf(approval, key);
  // The approval is the idempotency key: after a lost answer the same command completes, and nothing happens twice.
  const { status, body } = await send(stage.address, request, key, id);
  if (status >= 400) throw refusal('refused', `${stage.name} refused it with ${status}: ${visible(body, 0)}`);
  approvals.markCarriedOut(approval);
  print(`Done.\n${visible(body)}`);
}

function operationOf({ operation_id }: Approval): Operation {
  const operation = operations.find(({ id }) => id === operation_id);
  if (operation === undefined) throw new Error(`There is no operation ${operation_id}.`);
  return operation;
}

/** The ids of the call mean something else in another organisation. */
function requireKeyOf({ org_id }: Approval, key: string): void {
  if ((['live', 'test'] as const).some((kind) => key.startsWith(tokenStart(kind, org_id, '')))) return;
  throw refusal('key_of_other_organisation', `This is not an API key of ${org_id}. Nothing was sent.`);
}

/** A terminal obeys control characters, and some characters that are not seen change the order of what is. */
function visible(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
