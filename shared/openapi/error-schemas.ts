import * as v from 'valibot';
import { preparePayment } from '../operations/baskets/prepare-payment.ts';
import { ErrorEnvelope } from '../operations/error-envelope.ts';
import { type ProblemCode, problems } from '../operations/problems.ts';
import { isRecord } from '../operations/schema-shape.ts';
import { type Payment, PreparedPayment } from '../operations/schemas/payment.ts';
import { inlineSchema, type Json, type TitledSchemas } from './components.ts';
import { recordedCall } from './examples.ts';
import { pascalCase } from './operation-names.ts';

/** What an error says beside `error`: where the buyer authenticates, when a price is sold, which seats are left, and what is still kept. */
type Extra = Exclude<keyof typeof ErrorEnvelope.entries, 'error' | 'errors'>;

/** The codes whose errors say more. Each has a schema of its own, in which the extra field is required: clients narrow by the code. */
const extraOf: Readonly<Partial<Record<ProblemCode, Extra>>> = {
  payment_action_required: 'payment',
  phase_not_open: 'phase',
  not_eligible: 'phase',
  seat_taken: 'seats',
  leaves_single_seat: 'seats',
  events_expired: 'available_from',
};

const codesWithExtra = Object.keys(extraOf).filter((code): code is ProblemCode => code in problems);
const hasExtra = (code: ProblemCode): boolean => code in extraOf;
/** The schema of an error that says more. Other codes have none. */
export const variantName = (code: ProblemCode): string => `${pascalCase(code.replaceAll('_', '-'))}Error`;
const schemaReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of errors that say more than an error. */
export function variantSchemas(titled: TitledSchemas): Readonly<Record<string, Json>> {
  return Object.fromEntries(codesWithExtra.map((code) => [variantName(code), variantOf(code, titled)]));
}

function variantOf(code: ProblemCode, titled: TitledSchemas): Json {
  const extra = extraOf[code] ?? 'payment';
  const { properties } = inlineSchema(v.object({ [extra]: v.unwrap(ErrorEnvelope.entries[extra]) }), titled);
  return {
    type: 'object',
    properties: { error: detailOf([code]), ...(isRecord(properties) && properties) },
    required: ['error', extra],
    description: `The body of the error \`${code}\`.`,
  };
}

/** The body of an error response with one of these codes, by its name: with variants, the others have a name too, as some generators need. */
export function errorSchemas(
  name: string,
  status: number,
  codes: readonly ProblemCode[],
): Readonly<Record<string, Json>> {
  const plain = codes.filter((code) => !hasExtra(code));
  const variants = codes.filter(hasExtra).map((code) => schemaReference(variantName(code)));
  if (variants.length === 0) return { [name]: plainSchema(status, plain) };
  if (plain.length === 0) return { [name]: { anyOf: variants } };
  const others = name.replace('Error', 'OtherError');
  return { [others]: plainSchema(status, plain), [name]: { anyOf: [schemaReference(others), ...variants] } };
}

function plainSchema(status: number, codes: readonly ProblemCode[]): Json {
  return {
    type: 'object',
    properties: { error: detailOf(codes), ...(status === 400 && { errors: schemaReference(inputErrors) }) },
    required: ['error'],
  };
}

/** The name of the schema of all errors of a request. */
const inputErrors = 'InputErrors';

/** Only errors of the input come together. One schema serves all operations, with the codes of all. */
export function inputErrorsSchema(codes: readonly ProblemCode[]): Readonly<Record<string, Json>> {
  const inputCodes = codes.filter((code) => problems[code].status === 400);
  return {
    [inputErrors]: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string', enum: inputCodes }, message, param },
        required: ['code', 'message', 'param'],
      },
      description: 'All errors of the request, including the first. Present only if there is more than one.',
    },
  };
}

const message = { type: 'string' };
const param = { anyOf: [{ type: 'string' }, { type: 'null' }] };

function detailOf(codes: readonly ProblemCode[]): Json {
  const types = [...new Set(codes.map((code) => problems[code].type))];
  return {
    type: 'object',
    properties: {
      type: { type: 'string', enum: types },
      code: { type: 'string', enum: codes },
      message,
      param,
      request_id: { type: 'string' },
    },
    required: ['type', 'code', 'message', 'param', 'request_id'],
  };
}

/** What the error of a code looks like, and what it means. The message of a response says more: it names the values that are allowed. */
export function errorExample(code: ProblemCode): Json {
  const { type, meaning } = problems[code];
  const { message: text = meaning, param: name = null } = namedParameter(code);
  const request_id = '0f6ad2c1-6b6e-4c0e-9d0a-2f0c8a9d7b53';
  const value: ErrorEnvelope = { error: { type, code, message: text, param: name, request_id }, ...extraExample(code) };
  // The message of most examples is the meaning.
  return { ...(text !== meaning && { summary: meaning }), value };
}

function extraExample(code: ProblemCode): Pick<ErrorEnvelope, Extra> {
  switch (extraOf[code]) {
    case 'payment':
      return { payment: examplePayment() };
    case 'phase':
      return { phase: { phase_id: null, title: 'Members', next_phase_from_unix: 1_790_000_000, missing: [] } };
    case 'seats': {
      const rows = [{ section: 'Stalls', row: 'A', seats: 'xx......' }];
      return code === 'seat_taken'
        ? { seats: { seats: ['Stalls/A/2'], rows, instead: [] } }
        : { seats: { seats: ['Stalls/A/3'], rows, instead: [['Stalls/A/3', 'Stalls/A/4']] } };
    }
    case 'available_from':
      return { available_from: 1_787_408_000 };
    default:
      return {};
  }
}

function examplePayment(): Payment {
  return v.parse(PreparedPayment, recordedCall(preparePayment)?.response).payment;
}

/** An error of a parameter names it. Where a meaning says more than the service does, the message is that of the service. */
function namedParameter(code: ProblemCode): { param?: string; message?: string } {
  switch (code) {
    case 'parameter_unknown':
      return { param: 'colour', message: 'Unknown parameter colour.' };
    case 'parameter_repeated':
      return { param: 'limit', message: 'The parameter limit is given more than once.' };
    case 'parameter_missing':
      return { param: 'org', message: 'The parameter org is required.' };
    case 'parameter_invalid':
      return { param: 'limit' };
    case 'basket_expired':
      return { message: 'This basket has expired. Open a new one.' };
    case 'cursor_invalid':
      return { param: 'cursor' };
    default:
      return {};
  }
}
