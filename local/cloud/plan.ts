import { type GatewayResponses, readGatewayResponses } from './api-gateway/gateway-responses.ts';
import { type RestApi, readRestApi } from './api-gateway/routes.ts';
import { readTables, type Table } from './dynamodb/tables.ts';
import { type QueueMapping, readMappings, type StreamMapping } from './event-sources/mappings.ts';
import { checkTargets } from './eventbridge/deliver.ts';
import { type Rule, readRules } from './eventbridge/rules.ts';
import { readResourcePolicies } from './iam/resource-policies.ts';
import { readRoles } from './iam/roles.ts';
import { checkWiring } from './iam/wiring-checks.ts';
import { type FunctionDefinition, readFunctions } from './lambda/function-definition.ts';
import { readSchedules, type Schedule } from './schedules/schedules.ts';
import { type Queue, readQueues } from './sqs/queues.ts';
import type { RestoredTable } from './table-in-use.ts';
import type { Assembly } from './template/assembly.ts';
import { type ParsedTemplate, parseTemplate, type TemplateOptions } from './template/parsed-template.ts';

/** Everything that will run, read from the template and checked. */
export interface Plan {
  template: ParsedTemplate;
  functions: FunctionDefinition[];
  api: RestApi;
  gatewayResponses: GatewayResponses;
  tables: Table[];
  queues: Queue[];
  mappings: (QueueMapping | StreamMapping)[];
  rules: Rule[];
  busNames: ReadonlySet<string>;
  schedules: Schedule[];
}

/** Reads the whole template before anything starts, so its errors are reported immediately. */
export function readPlan(
  assembly: Assembly,
  { restored, ...options }: TemplateOptions & { restored?: RestoredTable | undefined },
): Plan {
  const template = parseTemplate(assembly, options);
  const roles = readRoles(template);
  const functions = readFunctions(template, assembly, roles);
  const tables = readTables(template, restored);
  const queues = readQueues(template);
  const plan: Plan = {
    template,
    functions,
    api: readRestApi(template, functions),
    gatewayResponses: readGatewayResponses(template),
    tables,
    queues,
    mappings: readMappings(template, { functions, queues, tables }),
    rules: readRules(template),
    busNames: new Set(['default', ...template.ofType('AWS::Events::EventBus').map(({ ref }) => ref)]),
    schedules: readSchedules(template, functions),
  };
  checkTargets(plan.rules, functions, queues);
  checkWiring({ ...plan, roles, policies: readResourcePolicies(template) });
  return plan;
}
