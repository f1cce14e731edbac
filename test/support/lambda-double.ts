import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';

/** A function as AWS keeps it: its published versions with their releases, $LATEST and the alias `live`. */
interface DoubleFunction {
  latest: string;
  readonly versions: Map<number, string>;
  live: number;
  tags: Record<string, string>;
}

const account = '111122223333';
const region = 'eu-west-1';

/** The calls of the Lambda and CloudFormation APIs that a rollback makes, over HTTP, on functions in two nested stacks. */
export class LambdaDouble {
  readonly functions = new Map<string, DoubleFunction>();
  readonly calls: string[] = [];
  stackStatus = 'UPDATE_COMPLETE';
  /** The UpdateAlias call of this function fails. */
  broken: string | undefined;
  readonly #server: Server;
  readonly #port: number;

  constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
  }

  static async start(): Promise<LambdaDouble> {
    const server = createServer(async (request, response) => {
      const { status, body } = double.#respond(request, await text(request));
      response.writeHead(status).end(body);
    });
    const double = new LambdaDouble(server, await listen(server, 0));
    return double;
  }

  get environment(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${this.#port}`,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  /** What CloudFormation does with a release: the code, a version, and the alias. */
  deploy(release: string, names: readonly string[]): void {
    for (const name of names) {
      const known = this.functions.get(name) ?? {
        latest: release,
        versions: new Map<number, string>(),
        live: 0,
        tags: {},
      };
      const version = Math.max(0, ...known.versions.keys()) + 1;
      known.versions.set(version, release);
      this.functions.set(name, Object.assign(known, { latest: release, live: version }));
    }
  }

  /** The release that serves requests, by function. */
  live(): Record<string, string | undefined> {
    return Object.fromEntries([...this.functions].map(([name, { versions, live }]) => [name, versions.get(live)]));
  }

  #respond({ method, url = '' }: IncomingMessage, body: string): { status: number; body: string } {
    if (method === 'POST' && url.includes('/tags/')) return this.#tag(decodeURIComponent(url), JSON.parse(body));
    if (method === 'POST') return { status: 200, body: this.#cloudFormation(new URLSearchParams(body)) };
    const { pathname, searchParams } = new URL(url, 'http://lambda');
    const [, , , name = '', kind, alias] = pathname.split('/');
    const found = this.functions.get(name);
    if (found === undefined) return notFound;
    if (kind === 'versions') {
      this.calls.push('ListVersionsByFunction');
      const Versions = [...found.versions].map(([version, release]) => configuration(name, String(version), release));
      return { status: 200, body: JSON.stringify({ Versions }) };
    }
    if (method === 'PUT' && kind === 'aliases') {
      this.calls.push('UpdateAlias');
      if (name === this.broken) return { status: 400, body: '{"Type":"User","message":"Broken"}' };
      const { FunctionVersion, RoutingConfig } = JSON.parse(body);
      if (Object.keys(RoutingConfig.AdditionalVersionWeights).length > 0) return notFound;
      found.live = Number(FunctionVersion);
      return { status: 200, body: JSON.stringify({ Name: alias, FunctionVersion }) };
    }
    this.calls.push('GetFunction');
    const qualifier = searchParams.get('Qualifier') ?? '$LATEST';
    if (qualifier === '$LATEST') return configured(name, qualifier, found.latest, found.tags);
    const version = qualifier === 'live' ? found.live : Number(qualifier);
    const release = found.versions.get(version);
    return release === undefined ? notFound : configured(name, String(version), release);
  }

  #tag(url: string, { Tags }: { Tags: Record<string, string> }): { status: number; body: string } {
    this.calls.push('TagResource');
    const found = this.functions.get(url.split(':').at(-1) ?? '');
    if (found === undefined) return notFound;
    Object.assign(found.tags, Tags);
    return { status: 204, body: '' };
  }

  #cloudFormation(parameters: URLSearchParams): string {
    const action = parameters.get('Action') ?? '';
    const stack = parameters.get('StackName') ?? '';
    this.calls.push(action);
    if (action === 'DescribeStacks')
      return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${stack}</StackName><CreationTime>2026-11-14T12:00:00Z</CreationTime><StackStatus>${this.stackStatus}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
    const names = [...this.functions.keys()];
    const half = Math.ceil(names.length / 2);
    const aliases = (some: readonly string[]) =>
      some.map((name) => resource('AWS::Lambda::Alias', `arn:aws:lambda:${region}:${account}:function:${name}:live`));
    const nested = (id: string) => resource('AWS::CloudFormation::Stack', id);
    const resources = { first: aliases(names.slice(0, half)), second: aliases(names.slice(half)) }[stack] ?? [
      nested('first'),
      nested('second'),
      resource('AWS::SQS::Queue', 'https://sqs/queue'),
    ];
    return `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${resources.join('')}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`;
  }
}

const notFound = { status: 404, body: '{"Type":"User","message":"Not found","__type":"ResourceNotFoundException"}' };

function configuration(FunctionName: string, Version: string, release: string) {
  return { FunctionName, Version, Environment: { Variables: { RELEASE: release } } };
}

function configured(name: string, version: string, release: string, Tags: Record<string, string> = {}) {
  return { status: 200, body: JSON.stringify({ Configuration: configuration(name, version, release), Tags }) };
}

function resource(type: string, id: string): string {
  return `<member><LogicalResourceId>X</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>${type}</ResourceType><LastUpdatedTimestamp>2026-11-14T12:00:00Z</LastUpdatedTimestamp><ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>`;
}
