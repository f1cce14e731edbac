import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writePrivateFile } from '../../local/run/private-file.ts';
import { operations } from '../../shared/operations/registry.ts';
import { refusal } from '../failure.ts';
import type { Stage } from './stage.ts';

/** Long enough for a person to look at it, short enough that the preview still says what is true. */
const lifetimeMs = 3_600_000;

const Approval = v.object({
  approval_id: v.string(),
  operation_id: v.picklist(operations.map(({ id }) => id)),
  arguments: v.record(v.string(), v.unknown()),
  /** The object as the assistant saw it. */
  preview: v.unknown(),
  stage: v.string(),
  run: v.string(),
  org_id: v.string(),
  created_ms: v.number(),
  /** When a person carried it out; null until then. */
  carried_out_ms: v.nullable(v.number()),
});
export type Approval = v.InferOutput<typeof Approval>;

type Proposed = Omit<Approval, 'approval_id' | 'created_ms' | 'carried_out_ms'>;

/** The proposed calls of assistants, one private file each. */
export function approvalsIn(localFolder: string, nowMs: () => number) {
  const fileOf = (id: string): string => join(localFolder, 'agents', 'approvals', `${id}.json`);

  return {
    propose(proposed: Proposed): Approval {
      const approval_id = `apr_${randomBytes(10).toString('hex')}`;
      const approval = { ...proposed, approval_id, created_ms: nowMs(), carried_out_ms: null };
      writePrivateFile(fileOf(approval_id), approval);
      return approval;
    },

    /** Returns an approval that can still be carried out. */
    find(id: string): Approval {
      const approval = /^apr_[0-9a-f]{20}$/.test(id) ? readApproval(fileOf(id)) : undefined;
      if (approval === undefined) throw refusal('approval_missing', `There is no approval ${id} in ${localFolder}.`);
      if (approval.carried_out_ms !== null) {
        const when = new Date(approval.carried_out_ms).toISOString();
        throw refusal('approval_used', `The approval ${id} was used at ${when}. Each approval is carried out once.`);
      }
      if (nowMs() - approval.created_ms > lifetimeMs) {
        throw refusal(
          'approval_expired',
          `The approval ${id} is older than an hour. Let the assistant propose it again.`,
        );
      }
      return approval;
    },

    /** What the call was about is not needed any more, and may name a person. */
    markCarriedOut(approval: Approval): void {
      const rest = { arguments: {}, preview: null, carried_out_ms: nowMs() };
      writePrivateFile(fileOf(approval.approval_id), { ...approval, ...rest });
    },
  };
}

export function requireSameRun({ approval_id, run }: Approval, stage: Stage): void {
  if (run === stage.run) return;
  throw refusal(
    'approval_of_other_run',
    `The approval ${approval_id} belongs to another run of ${stage.name}. Let the assistant propose it again.`,
  );
}

function readApproval(file: string): Approval | undefined {
  try {
    return v.parse(Approval, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
