import {
  GetFunctionCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  TagResourceCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import {
  type Concurrencies,
  fullSaleConcurrencies,
  mostSaleBuyers,
  saleConcurrencies,
  totalConcurrency,
} from '../shared/domain/lambda-concurrency.ts';
import { operations } from '../shared/operations/registry.ts';
import { workers } from '../shared/workers/registry.ts';
import { outputsOf } from './connection.ts';
import { refusal } from './failure.ts';
import { resourcesOfStage } from './stack-resources.ts';

/** What the functions that a sale raises need for 50,000 buyers, by the ids of their registry entries. */
const fullConcurrencies = fullSaleConcurrencies([...operations, ...workers]);

/** The output of the service stack that says what a sale may use (lib/concurrency-plan.ts). */
const SaleConcurrency = v.object({ room: v.number(), everyday: v.record(v.string(), v.number()) });

/**
 * The sales that are prepared are tags of the function of open-basket, one for each, so the end of one leaves the others their
 * reservations. CloudFormation leaves the tags that it does not know.
 */
const saleTag = 'gateline:sale:';
const tagged = 'open-basket';

interface SaleFunction {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly reserved: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** The functions of a sale on a deployed stage. */
export interface SaleFunctions {
  readonly room: number;
  readonly everyday: Concurrencies;
  readonly functions: readonly SaleFunction[];
  /** The buyers of the sales that are prepared, by organisation and token. */
  readonly sales: Readonly<Record<string, number>>;
}

/** Reads the functions of a sale; undefined for a stage that reserves nothing, or that was deployed before it said what a sale may use. */
export async function readSaleFunctions(stage: string): Promise<SaleFunctions | undefined> {
  const { SaleConcurrency: output } = await outputsOf(stage, 'service');
  if (output === undefined) return undefined;
  const { room, everyday } = v.parse(SaleConcurrency, JSON.parse(output));
  const names = await functionNames(stage, Object.keys(everyday));
  const functions = await withLambda((client) => Promise.all(names.map((named) => readFunction(client, named))));
  const tags = functions.find(({ id }) => id === tagged)?.tags ?? {};
  const sales = Object.entries(tags).flatMap(([key, buyers]) =>
    key.startsWith(saleTag) ? [[key.slice(saleTag.length), Number(buyers)] as const] : [],
  );
  return { room, everyday, functions, sales: Object.fromEntries(sales) };
}

/** What every function of a sale reserves with these sales, at the same time. Refuses what the account has no room for. */
export function plannedFor({ room, everyday }: SaleFunctions, sales: SaleFunctions['sales']): Concurrencies {
  const buyers = totalConcurrency(sales);
  const planned = saleConcurrencies(fullConcurrencies, everyday, buyers);
  const needed = totalConcurrency(planned);
  if (buyers === 0 || needed <= room) return planned;
  const most = mostSaleBuyers(fullConcurrencies, everyday, room);
  throw refusal(
    'concurrency_exceeded',
    `${Object.keys(sales).length} sales with ${buyers} buyers together need ${needed} reserved executions, and the stage has room for ${room}, which is enough for ${most} buyers. Prepare it with fewer, or request more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384; then raise lambdaConcurrency in lib/stage-config.ts and deploy.`,
  );
}

/** Reserves what is planned. What is lowered comes first, because it makes room for what is raised. */
export async function reserve({ functions }: SaleFunctions, planned: Concurrencies): Promise<void> {
  const changes = functions
    .map(({ id, name, reserved }) => ({ name, reserved, wanted: planned[id] ?? reserved }))
    .filter(({ reserved, wanted }) => reserved !== wanted)
    .toSorted((one, other) => one.wanted - one.reserved - (other.wanted - other.reserved));
  await withLambda(async (client) => {
    for (const { name, wanted } of changes) {
      await client.send(
        new PutFunctionConcurrencyCommand({ FunctionName: name, ReservedConcurrentExecutions: wanted }),
      );
    }
  });
}

/** Writes down that a sale is prepared for so many buyers, or that it is over. */
export async function rememberSale(
  { functions }: SaleFunctions,
  sale: string,
  buyers: number | undefined,
): Promise<void> {
  const Resource = functions.find(({ id }) => id === tagged)?.arn;
  const key = `${saleTag}${sale}`;
  await withLambda(async (client) => {
    if (buyers === undefined) await client.send(new UntagResourceCommand({ Resource, TagKeys: [key] }));
    else await client.send(new TagResourceCommand({ Resource, Tags: { [key]: String(buyers) } }));
  });
}

/** What is reserved beyond that of every other day. A deployment must keep it. */
export function raisedOf({ functions, everyday }: SaleFunctions): Concurrencies {
  return Object.fromEntries(
    functions.flatMap(({ id, reserved }) => (reserved > (everyday[id] ?? reserved) ? [[id, reserved]] : [])),
  );
}

/** The CDK's logical id of the function of an entry is its id without hyphens, the word Function and a hash. */
async function functionNames(stage: string, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  const resources = await resourcesOfStage(stage, ['service']);
  return ids.map((id) => {
    const pattern = new RegExp(`^${id.replaceAll('-', '')}Function[0-9A-F]{8}$`);
    const found = resources.find(({ type, logicalId }) => type === 'AWS::Lambda::Function' && pattern.test(logicalId));
    if (found === undefined) throw refusal('function_missing', `${id} has no function in Gateline-${stage}-service.`);
    return { id, name: found.physicalId };
  });
}

async function readFunction(
  client: LambdaClient,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<SaleFunction> {
  const { Configuration, Concurrency, Tags = {} } = await client.send(new GetFunctionCommand({ FunctionName: name }));
  const reserved = Concurrency?.ReservedConcurrentExecutions ?? 0;
  return { id, name, arn: Configuration?.FunctionArn ?? '', reserved, tags: Tags };
}

async function withLambda<Result>(work: (client: LambdaClient) => Promise<Result>): Promise<Result> {
  const client = new LambdaClient({ maxAttempts: 10 });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
