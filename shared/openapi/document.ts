import { ErrorEnvelope } from '../operations/error-envelope.ts';
import { hasEntityTag, needsFanToken, type Operation } from '../operations/operation.ts';
import { webhookEvents } from '../operations/schemas/webhook-event.ts';
import { maxSimpleFormBytes } from '../operations/simple-form.ts';
import { tags } from '../operations/tags.ts';
import { componentSchemas, inlineSchema, type Json, type TitledSchemas, titledSchemas } from './components.ts';
import { type ErrorResponses, errorResponses } from './errors.ts';
import { recordedCall } from './examples.ts';
import { asExtensions } from './extensions.ts';
import { headerParameters } from './header-parameters.ts';
import {
  dryRunResponse,
  endHeaders,
  headerComponents,
  headersOfEveryResponse,
  headersWith,
  headerTable,
  notModified,
} from './headers.ts';
import { dependenciesOf } from './inputs.ts';
import { numberFields, parametersOf, requestBody } from './operation-inputs.ts';
import { shareRepeated } from './share-repeated.ts';
import { webhookParameters, webhookResponses, webhooksOf, webhookTag } from './webhooks.ts';

/** The version of the API. The path prefix contains its major version. */
const apiVersion = '1.0.0';

const descriptionWith = (
  storefronts: string,
  simpleForms: string,
): string => `Headless ticketing, membership and access control.

Send your API key as a bearer token with every request. Send bodies as JSON, or form-encoded with brackets for lists and objects
(\`members[0][membership_member_id]=7\`). An empty value in a form is null. In a form and in a query, 1 and 0 are booleans
too. A POST without parameters needs no body, and accepts an empty object or form. Responses are JSON. Unknown parameters are an error.
A slash at the end of a path changes nothing.

Every response contains a Request-Id and the state of the request limits: 300 requests per API key and minute, 30,000 per API key
and day, and 50,000 per organisation and day. Days end at midnight UTC. These headers are in every response; an operation
names those that only some have:

${headerTable()}

Web pages use a storefront token (gl_pub_…) instead of an API key, which a page must not contain. Every visitor can read a storefront
token. It is valid for pages of its allowed origins, and can call only these operations:

${storefronts}

With a storefront token, each client address has 600 requests per minute and 100 new baskets per 15 minutes (an IPv6 address together with its
/64), and requests for a basket with its basket token have 120 per minute and basket instead. The platform team can change the limits of a token.

A browser sends a preflight request before most calls. ${simpleForms} need none as simple forms: a form with the storefront token in the field
\`storefront_token\` and the basket token in \`basket_token\`, without the headers Authorization and X-Basket-Token. Such a form has at most
${maxSimpleFormBytes / 1024} KB and an allowed Origin. It never contains an API key or the token of a fan. \`idempotency_key\` stands for the header.

A page can read every response to its storefront token, and why a request was refused. Catalogue reads with a storefront token may be
kept by the browser for ten seconds.

Responses may get new fields within /v1, so ignore fields that you do not know.`;

/** The OpenAPI 3.1 document of these operations, with this server URL. */
export function openApiDocument(operations: readonly Operation[], serverUrl: string): { openapi: string } & Json {
  const titled = titledSchemas([
    ...operations.map((operation) => operation.output.schema),
    ...Object.values(webhookEvents),
    ErrorEnvelope,
  ]);
  const errors = errorResponses(operations, titled);
  // Each error response has a schema of its own.
  const { Error: _, ...components } = componentSchemas(titled);
  const inputs = shareRepeated({
    paths: pathsOf(operations, { titled, errors, numbers: numberFields(components) }),
    requestBodies: sharedBodies(operations, titled),
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateline',
      version: apiVersion,
      description: descriptionWith(storefrontTable(operations), simpleFormList(operations)),
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    'x-response-headers': headersOfEveryResponse,
    tags: [...Object.entries(tags).map(([name, text]) => ({ name, description: text })), webhookTag],
    paths: inputs.part.paths,
    webhooks: webhooksOf(webhookEvents, titled),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of the organisation, such as gl_live_… or gl_test_…. The prefix is only a label: both kinds of key access the same data.',
        },
        storefrontToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A storefront token, such as gl_pub_…. Web pages of its allowed origins use it, so everyone can read it. It can only call the operations that name it.',
        },
        gateToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A gate token, such as gl_gate_…. It can only call the operations that name it.',
        },
        basketToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Basket-Token',
          description:
            'The basket_token from the response of open-basket to a storefront token. Requests for the basket with a storefront token need it; without it the basket is a 404.',
        },
        linkToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description:
            'The token in the `link` of a ticket (gl_ticket_…), without an API key. It reaches this one ticket, and counts against no limit.',
        },
        ssoToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SSO-Token',
          description:
            'The token (JWT) of the fan, issued by an identity provider that is registered for the organisation.',
        },
      },
      parameters: { ...headerParameters, ...webhookParameters, ...inputs.components.parameters },
      requestBodies: inputs.part.requestBodies,
      headers: headerComponents,
      responses: {
        ...errors.responses,
        ...sharedSuccesses(operations, titled),
        NotModified: notModified,
        ...webhookResponses,
      },
      examples: errors.examples,
      schemas: { ...asExtensions(components), ...errors.schemas, ...inputs.components.schemas },
    },
  };
}

/** What operations share. */
interface Shared {
  readonly titled: TitledSchemas;
  readonly errors: ErrorResponses;
  /** The fields that are numbers in responses. */
  readonly numbers: ReadonlySet<string>;
}

function pathsOf(operations: readonly Operation[], shared: Shared): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    for (const [index, path] of operation.paths.entries()) {
      const methods = paths[path] ?? {};
      methods[operation.method.toLowerCase()] = describe(operation, index > 0, shared);
      paths[path] = methods;
    }
  }
  return paths;
}

function describe(operation: Operation, isAlias: boolean, shared: Shared): Json {
  const { titled } = shared;
  const parameters = [
    ...parametersOf(operation, 'path', shared),
    ...parametersOf(operation, 'query', shared),
    ...(operation.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(operation.input.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(hasEntityTag(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return {
    // Operation ids are unique in a document, so the second path needs a second id. A reference shows the first only.
    operationId: isAlias ? `${operation.id}-unversioned` : operation.id,
    ...(isAlias && { 'x-scalar-ignore': true }),
    ...(operation.deprecation && { deprecated: true }),
    summary: operation.summary,
    description: isAlias ? `The same operation as \`${operation.paths[0]}\`.` : descriptionOf(operation),
    tags: [operation.resource],
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...dependenciesOf(operation.input.queryDependencies),
    ...(Object.keys(operation.input.body.entries).length > 0 && {
      requestBody: isShared(operation) ? reference('requestBodies', operation.id) : requestBody(operation, titled),
    }),
    responses: responsesOf(operation, shared),
  };
}

/** The ways to authenticate; absent where it is an API key alone, which is the default of the document. */
function securityOf(operation: Operation): Json {
  const { auth, input } = operation;
  if (auth.kind === 'public') return { security: [] };
  const basket = 'basket_id' in input.params.entries ? { basketToken: [] } : {};
  const ways = [
    { apiKey: [] },
    ...(auth.gates ? [{ gateToken: [] }] : []),
    ...(auth.storefront ? [{ storefrontToken: [], ...basket }] : []),
  ];
  if (ways.length === 1 && !auth.ssoUser) return {};
  const ofFan = auth.ssoUser ? ways.map((way) => ({ ...way, ssoToken: [] })) : [];
  const isAlone = (way: object): boolean => auth.ssoUser !== 'linked_on_pages' || !('storefrontToken' in way);
  const ofLink = auth.ticketLink ? [{ linkToken: [] }] : [];
  return { security: [...(needsFanToken(operation) ? [] : ways.filter(isAlone)), ...ofFan, ...ofLink] };
}

/** What storefront tokens may do, for the description of the API. */
function storefrontTable(operations: readonly Operation[]): string {
  const rows = operations.flatMap(({ id, auth }) => (auth.storefront ? [`| ${id} | ${auth.storefront.sees} |`] : []));
  return ['| Operation | What a storefront token reaches |', '|---|---|', ...rows].join('\n');
}

const simpleFormList = (operations: readonly Operation[]): string =>
  new Intl.ListFormat('en').format(
    operations.flatMap(({ id, auth }) => (auth.storefront?.simpleForm ? [`\`${id}\``] : [])),
  );

function descriptionOf(operation: Operation): string {
  const [path, ...others] = operation.paths;
  const addresses = others.length === 0 ? [] : [`\`${path}\` and \`${others.join('`, `')}\` are the same operation.`];
  return [...endOf(operation), operation.description, ...authOf(operation), ...addresses].join('\n\n');
}

function endOf({ deprecation }: Operation): string[] {
  if (deprecation === undefined) return [];
  const { since, sunset, instead } = deprecation;
  return [`**Deprecated since ${since}.** It ends on ${sunset}. ${instead}`];
}

const fanTokens = {
  linked: ', and the token of a linked fan in the X-SSO-Token header',
  signed_in: ', and the token of the fan in the X-SSO-Token header',
  optional: '. It accepts the token of a fan in the X-SSO-Token header',
  linked_on_pages: ' with the token of a linked fan in the X-SSO-Token header',
} as const;

function authOf({ auth }: Operation): string[] {
  if (auth.kind === 'public') return [];
  const orScope = auth.orScope ? ` or \`${auth.orScope}\`` : '';
  const orGate = auth.gates ? ', or a gate token, which has its own limit of 600 requests per minute' : '';
  const orStorefront = auth.storefront ? ', or a storefront token' : '';
  const andToken = auth.ssoUser ? fanTokens[auth.ssoUser] : '';
  const orLink = auth.ticketLink ? ', or the token of its `link` in the query' : '';
  const shown = auth.storefront ? [`A storefront token reaches ${auth.storefront.sees}.`] : [];
  const simple = auth.storefront?.simpleForm ? ['A page may send it as a simple form.'] : [];
  return [
    `Requires an API key with the scope \`${auth.scope}\`${orScope}${orGate}${orStorefront}${andToken}${orLink}.`,
    [...shown, ...simple].join(' '),
  ].filter((text) => text !== '');
}

/** Whether its body and its response are components: an operation with two paths has them once. */
const isShared = ({ paths }: Operation): boolean => paths.length > 1;
const reference = (kind: 'requestBodies' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

function sharedBodies(operations: readonly Operation[], titled: TitledSchemas): Json {
  const withBody = operations.filter((one) => isShared(one) && Object.keys(one.input.body.entries).length > 0);
  return Object.fromEntries(withBody.map((operation) => [operation.id, requestBody(operation, titled)]));
}

function sharedSuccesses(operations: readonly Operation[], titled: TitledSchemas): Readonly<Record<string, Json>> {
  return Object.fromEntries(operations.filter(isShared).map((one) => [one.id, successOf(one, titled)]));
}

function responsesOf(operation: Operation, { titled, errors }: Shared): Json {
  const success = isShared(operation) ? reference('responses', operation.id) : successOf(operation, titled);
  return {
    [operation.output.status]: success,
    ...dryRunResponse(operation, success),
    ...(hasEntityTag(operation) && { 304: reference('responses', 'NotModified') }),
    ...errors.referencesOf(operation),
  };
}

function successOf(operation: Operation, titled: TitledSchemas): Json {
  return {
    description: 'Success.',
    ...headersWith(
      [...(operation.method === 'POST' ? ['Idempotency-Replayed'] : []), ...(hasEntityTag(operation) ? ['ETag'] : [])],
      operation.deprecation && endHeaders,
    ),
    content: contentOf(operation, titled),
    ...linksOf(operation),
  };
}

function contentOf(operation: Operation, titled: TitledSchemas): Json {
  const { mediaType, schema } = operation.output;
  if (mediaType !== 'application/json') return { [mediaType]: { schema: { type: 'string', format: 'binary' } } };
  const response = recordedCall(operation)?.response;
  // Not `example`: generators copy it into the comments of types, tens of lines for each operation.
  const examples = response && { examples: { demo: { value: response } } };
  return { [mediaType]: { schema: inlineSchema(schema, titled), ...examples } };
}

function linksOf({ output }: Operation): Json {
  if (output.links.length === 0) return {};
  const links = output.links.map(({ to, params }) => [to, { operationId: to, parameters: params }]);
  return { links: Object.fromEntries(links) };
}
