import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import { packFields } from '../../domain/members/packed-filters.ts';
import { filterItem } from '../members/filter-row.ts';
import { parseMember } from '../members/row.ts';
import { memberFiltersPartition, membersPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';

const membersPerPage = 200;

interface AuditedMembers {
  readonly members: number;
  readonly findings: readonly Finding[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

/** Compares a page of members with their filter rows, which lists with several filters read instead of them. */
export async function auditMembers(table: Table, orgId: string, after: string): Promise<AuditedMembers> {
  const { Items = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': membersPartition(orgId), ':after': after },
      ConsistentRead: true,
      Limit: membersPerPage,
    }),
  );
  const next = last === undefined ? undefined : String(last.sk);
  const filterRows = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :to',
    ExpressionAttributeValues: {
      ':pk': memberFiltersPartition(orgId),
      ':after': `${after}\u0000`,
      // Sort keys are digits, which come before this character.
      ':to': next ?? '~',
    },
    ConsistentRead: true,
  });
  const stored = new Map(filterRows.map((row) => [String(row.sk), row]));
  const findings: Finding[] = [];
  for (const member of Items.map(parseMember)) {
    const expected = filterItem(orgId, member);
    const found = stored.get(expected.sk);
    stored.delete(expected.sk);
    if (found?.f === expected.f) continue;
    const problem =
      found === undefined
        ? 'The member has no filter row.'
        : `It is ${String(found.f)}, but the fields of the member are ${packFields(member)}.`;
    findings.push({ check: 'member-filters', row: nameRow(expected), problem });
  }
  for (const row of stored.values()) {
    const name = nameRow({ pk: String(row.pk), sk: String(row.sk) });
    findings.push({ check: 'member-filters', row: name, problem: 'It belongs to no member.' });
  }
  return { members: Items.length, findings, next };
}
