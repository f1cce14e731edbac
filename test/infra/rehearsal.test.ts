import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { grantedOnTable } from '../../tools/rehearsal/check-grants.ts';
import { rehearse } from '../../tools/rehearsal/rehearse.ts';
import { referencesIn, rehearsedStack, type Template } from '../../tools/rehearsal/rehearsed-stack.ts';
import { assembly } from '../support/assembly.ts';
import { functionOf, rehearseBroken, resourcesOf } from '../support/broken-stack.ts';

const prod = assembly('prod');

function tablePoliciesOf(template: Template, roleId: string): { PolicyName?: string; PolicyDocument?: unknown }[] {
  const [role] = Object.entries(template.Resources).filter(([, { OwnId }]) => OwnId.startsWith(roleId));
  const policies: unknown = role?.[1].Properties.Policies;
  if (!Array.isArray(policies)) throw new Error(`${roleId} has no policies.`);
  return policies;
}

describe('deployment rehearsal', () => {
  it.each(['dev', 'prod'] as const)('the rehearsal of %s finds no problems', (stage) => {
    expect(rehearse(rehearsedStack(assembly(stage).assemblyDir))).toEqual([]);
  });

  it('the rehearsal names a missing variable and one that no function reads', () => {
    const problems = rehearseBroken((template) => {
      functionOf(template, 'list-customers').Properties.Environment = { Variables: { LEFT_OVER: 'x' } };
    });
    expect(problems).toEqual([
      'list-customers reads the environment variable TABLE_NAME, which is not set.',
      'list-customers reads the environment variable TOKEN_PUBLIC_KEYS, which is not set.',
      'list-customers reads the environment variable TRUSTED_CDN, which is not set.',
      'list-customers reads the environment variable STAGE, which is not set.',
      'list-customers reads the environment variable RELEASE, which is not set.',
      'list-customers does not read the environment variable LEFT_OVER, which is set.',
    ]);
  });

  it('the rehearsal refuses a third reader of the stream', () => {
    const problems = rehearseBroken((template) => {
      const [mapping] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
        ([, { Properties }]) => Properties.StartingPosition !== undefined,
      );
      if (mapping !== undefined) template.Resources.Third = { ...mapping[1], OwnId: 'Third' };
    });
    expect(problems).toContainEqual(
      expect.stringMatching(/^3 functions read the stream .*, and DynamoDB throttles more than 2: /),
    );
  });

  it('the rehearsal refuses a mapping that uses all five filters of Lambda', () => {
    const problems = rehearseBroken((template) => {
      const [mapping] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
      if (mapping !== undefined) mapping[1].Properties.FilterCriteria = { Filters: Array(5).fill({ Pattern: '{}' }) };
    });
    expect(problems).toContainEqual(expect.stringMatching(/has 5 filters, and Lambda allows five: join kinds/));
  });

  it('the rehearsal names an alarm whose topic does not let CloudWatch publish, and one without an OK action', () => {
    const problems = rehearseBroken((template) => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::SNS::TopicPolicy')) {
        const document = v.parse(
          v.looseObject({ Statement: v.array(v.looseObject({ Effect: v.string() })) }),
          Properties.PolicyDocument,
        );
        Properties.PolicyDocument = {
          ...document,
          Statement: document.Statement.filter(({ Effect }) => Effect === 'Deny'),
        };
      }
      const [alarm] = resourcesOf(template, 'AWS::CloudWatch::Alarm');
      if (alarm !== undefined) alarm[1].Properties.OKActions = [];
    });
    expect(problems).toContainEqual(
      expect.stringMatching(
        /^The policy of AlarmTopic\w+ does not allow CloudWatch to publish, so [\w/]+ is silent\.$/,
      ),
    );
    expect(problems).toContainEqual(expect.stringMatching(/ has no OKActions\.$/));
    expect(problems.every((problem) => /(Alarm|Ticket)Topic|OKActions/.test(problem))).toBe(true);
  });

  it('the rehearsal refuses a guarded stage whose alarms have no subscriber', () => {
    const problems = rehearseBroken((template) => {
      for (const [id] of resourcesOf(template, 'AWS::SNS::Subscription')) delete template.Resources[id];
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^The alarms of prod reach no person: AlarmTopic\w+ has no subscription\. Set alarmReceivers /,
      ),
      expect.stringContaining('TicketTopic'),
    ]);
  });

  it('the rehearsal names a rule with an invalid pattern', () => {
    const problems = rehearseBroken((template) => {
      for (const [id, { Properties }] of resourcesOf(template, 'AWS::Events::Rule')) {
        if (id.startsWith('Eventssales'))
          Properties.EventPattern = { source: ['gatelime'], 'detail-type': ['order.completed'] };
      }
    });
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^No sample in events\/ matches the pattern of the rule Eventssales/),
        expect.stringMatching(/^events\/event-bridge-event.json as order.completed reaches no queue/),
      ]),
    );
  });

  it('the rehearsal names the function, the grant and what to do when a role lacks a grant', () => {
    const problems = rehearseBroken((template) => {
      const policies = tablePoliciesOf(template, 'retrievememberRole');
      policies.splice(
        policies.findIndex(({ PolicyName }) => PolicyName === 'Table'),
        1,
      );
    });
    expect(problems).toContain(
      "The role of retrieve-member lacks `MEM: ['GetItem']`, which its `access` lists: synthesize again, or fix lib/constructs/table-statements.ts.",
    );
  });

  it('the rehearsal says what to add and where when a role allows more than its entry lists', () => {
    const problems = rehearseBroken((template) => {
      const keys = { 'dynamodb:LeadingKeys': ['BAR#*'] };
      const Condition = { 'ForAllValues:StringLike': keys };
      const Statement = [{ Effect: 'Allow', Action: 'dynamodb:BatchGetItem', Resource: '*', Condition }];
      for (const id of ['retrievememberRole', 'sweepoutboxRole']) {
        tablePoliciesOf(template, id).push({ PolicyName: 'More', PolicyDocument: { Statement } });
      }
    });
    expect(problems).toEqual([
      "The role of retrieve-member allows `BAR: ['BatchGetItem']`, which its `access` does not list: add `BAR: ['BatchGetItem']` to `access` of retrieve-member (shared/operations/members/retrieve-member.ts), or remove the grant.",
      "The role of sweep-outbox allows `BAR: ['BatchGetItem']`, which its `access` does not list: add `BAR: ['BatchGetItem']` to `access` of sweep-outbox (shared/workers/registry.ts), or remove the grant.",
    ]);
  });

  it('the rehearsal names an operationId that two methods of the API have', () => {
    const problems = rehearseBroken((template) => {
      const [api] = resourcesOf(template, 'AWS::ApiGateway::RestApi');
      const Body = v.looseObject({ paths: v.record(v.string(), v.record(v.string(), v.looseObject({}))) });
      const { paths } = v.parse(Body, api?.[1].Properties.Body);
      for (const path of ['/baskets', '/v1/baskets'])
        Object.assign(paths[path]?.post ?? {}, { operationId: 'open-basket' });
      if (api !== undefined) api[1].Properties.Body = { paths };
    });
    expect(problems).toEqual(['Two methods of the API have the operationId open-basket: give each its own, or none.']);
  });

  it('the rehearsal reports that a renamed table would be replaced, and a moved one deleted', () => {
    const renamed = rehearseBroken((template) => {
      for (const [, { Properties }] of resourcesOf(template, 'AWS::DynamoDB::GlobalTable'))
        Properties.TableName = 'tickets';
    });
    expect(renamed).toEqual([expect.stringMatching(/^Table\w+ \(AWS::DynamoDB::GlobalTable\) would be replaced/)]);
    const moved = rehearseBroken((template) => {
      for (const [id, resource] of resourcesOf(template, 'AWS::SecretsManager::Secret')) {
        template.Resources[`Moved${id}`] = resource;
        delete template.Resources[id];
      }
    });
    expect(moved).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/would be deleted with its data/),
        expect.stringMatching(/refers to Secret\w+, which is in no stack/),
      ]),
    );
  });

  it('the rehearsal names missing code, an unmonitored queue and a queue with a short visibility timeout', () => {
    const problems = rehearseBroken((template) => {
      functionOf(template, 'health').Properties.Code = { S3Key: 'gone.zip' };
      for (const [id] of resourcesOf(template, 'AWS::CloudWatch::Alarm')) {
        if (id.startsWith('Monitoring/Alarmsfailedbatches')) delete template.Resources[id];
      }
      for (const [id, { Properties }] of resourcesOf(template, 'AWS::SQS::Queue')) {
        if (/^Eventssales(?!dead)/.test(id)) Properties.VisibilityTimeout = 60;
      }
    });
    expect(problems).toEqual([
      'The code of health is not in the assembly.',
      expect.stringMatching(/^The queue FailedBatches\w+ has no alarm/),
      expect.stringMatching(/^The visibility timeout of Eventssales\w+ \(60 s\)/),
    ]);
  });
});

describe('alarms', () => {
  const { Resources } = rehearsedStack(prod.assemblyDir).template;
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const sections = [...runbook.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s+/g, '-'),
  );
  const alarms = Object.entries(Resources).filter(([, { Type }]) => /^AWS::CloudWatch::(Composite)?Alarm$/.test(Type));
  // Only the composite alarm notifies, not its parts.
  const parts = new Set(alarms.flatMap(([, { Properties }]) => referencesIn(Properties.AlarmRule)));

  it.each(alarms)(
    'the alarm %s says who is affected, what to do, and where the runbook continues',
    (id, { Properties }) => {
      const [text = '', section] = String(Properties.AlarmDescription).split(' Runbook: docs/runbook.md#');
      expect(text.length).toBeGreaterThan(80);
      expect(sections).toContain(section);
      if (!parts.has(id)) expect(Properties.AlarmActions).toHaveLength(1);
    },
  );
});

describe('roles in the rehearsal', () => {
  it('the rehearsal lists every function with what it may do to the table', () => {
    const stack = rehearsedStack(prod.assemblyDir);
    const listed = Object.fromEntries(
      stack.functions.map((deployed) => [deployed.id, grantedOnTable(deployed, stack)]),
    );
    expect(listed['retrieve-organisation']).toEqual(expect.arrayContaining(['GetItem on ORG', 'UpdateItem on AUTH']));
    expect(Object.keys(listed).length).toBe(stack.functions.length);
  });
});
