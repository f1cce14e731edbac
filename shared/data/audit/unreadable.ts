import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';

const KeyOfRow = v.object({ pk: v.string(), sk: v.string() });

/**
 * What a part of the audit reads. A row that does not have its fields is a finding: otherwise the audit of all organisations would
 * end at it every time. `otherwise` says how the audit goes on.
 */
export async function unlessUnreadable<Part>(
  where: string,
  read: () => Promise<Part>,
  otherwise: (finding: Finding) => Part,
): Promise<Part> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    const [issue] = error.issues;
    const row = v.safeParse(KeyOfRow, issue?.path?.[0]?.input);
    return otherwise({
      check: 'unreadable-rows',
      row: row.success ? nameRow(row.output) : where,
      // Only the name of the field: its value may be personal data.
      problem: `The field ${v.getDotPath(issue) ?? 'of a row'} is missing or has a wrong type. The rest of ${where} was not checked.`,
    });
  }
}
