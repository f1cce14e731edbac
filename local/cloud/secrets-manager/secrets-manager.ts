import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { AwsServiceError } from '../http/aws-json-client.ts';
import type { KeptFiles } from '../kept-files.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { Flag, Numeric, readProperties } from '../template/properties.ts';

const GenerateSecretString = v.object({
  PasswordLength: v.optional(Numeric, 32),
  ExcludeCharacters: v.optional(v.string(), ''),
  ExcludeLowercase: v.optional(Flag, false),
  ExcludeUppercase: v.optional(Flag, false),
  ExcludeNumbers: v.optional(Flag, false),
  ExcludePunctuation: v.optional(Flag, false),
  IncludeSpace: v.optional(Flag, false),
  RequireEachIncludedType: v.optional(Flag, true),
  SecretStringTemplate: v.optional(v.string()),
  GenerateStringKey: v.optional(v.string()),
});

const SecretProperties = v.object({
  SecretString: v.optional(v.string()),
  GenerateSecretString: v.optional(GenerateSecretString),
});

interface Secret {
  arn: string;
  name: string;
  value: string;
  versionId: string;
}

const KeptValues = v.record(v.string(), v.object({ value: v.string(), versionId: v.string() }));
const keptFile = 'secrets.json';

export interface SecretsManager {
  respond(operation: string, input: Record<string, unknown>): Promise<unknown>;
  /** The ARN of a secret, given by its name or ARN. */
  arnOf(secretId: string): string;
}

/** The values of an earlier run. A generated value is stored with the data that it may have encrypted. */
export class KeptSecrets {
  readonly #files: KeptFiles;
  readonly values: v.InferOutput<typeof KeptValues>;

  constructor(files: KeptFiles) {
    this.#files = files;
    this.values = files.read(keptFile, KeptValues) ?? {};
  }

  save(): void {
    this.#files.write(keptFile, this.values);
  }
}

/** Secrets Manager with the secrets of the template. */
export function createSecretsManager(template: ParsedTemplate, kept: KeptSecrets, now: () => number): SecretsManager {
  const secrets = template.ofType('AWS::SecretsManager::Secret').map((resource): Secret => {
    const arn = resource.ref;
    kept.values[arn] ??= { value: initialValue(resource), versionId: randomUUID() };
    return { arn, name: (arn.split(':secret:')[1] ?? arn).replace(/-\w{6}$/, ''), ...kept.values[arn] };
  });
  if (secrets.length > 0) kept.save();
  const startedAtSeconds = now() / 1000;

  const find = (secretId: string) => secrets.find(({ arn, name }) => secretId === arn || secretId === name);
  return {
    arnOf: (secretId) => find(secretId)?.arn ?? secretId,
    respond: async (operation, input) => {
      if (operation !== 'GetSecretValue' && operation !== 'PutSecretValue') {
        throw new AwsServiceError(
          'UnknownOperationException',
          `The local cloud does not support ${operation} of Secrets Manager`,
        );
      }
      const secret = find(String(input.SecretId));
      if (secret === undefined) {
        throw new AwsServiceError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      }
      if (operation === 'PutSecretValue') {
        secret.value = v.parse(v.string(), input.SecretString);
        secret.versionId = randomUUID();
        kept.values[secret.arn] = { value: secret.value, versionId: secret.versionId };
        kept.save();
        return { ARN: secret.arn, Name: secret.name, VersionId: secret.versionId, VersionStages: ['AWSCURRENT'] };
      }
      return {
        ARN: secret.arn,
        Name: secret.name,
        SecretString: secret.value,
        VersionId: secret.versionId,
        VersionStages: ['AWSCURRENT'],
        CreatedDate: startedAtSeconds,
      };
    },
  };
}

function initialValue(resource: Resource): string {
  const { SecretString, GenerateSecretString: rules } = readProperties(resource, SecretProperties);
  if (SecretString !== undefined) return SecretString;
  if (rules === undefined) return '';
  const password = generatePassword(rules);
  if (rules.SecretStringTemplate === undefined || rules.GenerateStringKey === undefined) return password;
  const template = v.parse(v.record(v.string(), v.unknown()), JSON.parse(rules.SecretStringTemplate));
  return JSON.stringify({ ...template, [rules.GenerateStringKey]: password });
}

function generatePassword(rules: v.InferOutput<typeof GenerateSecretString>): string {
  const alphabets = [
    rules.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    rules.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    rules.ExcludeNumbers ? '' : '0123456789',
    rules.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    rules.IncludeSpace ? ' ' : '',
  ]
    .map((alphabet) => [...alphabet].filter((character) => !rules.ExcludeCharacters.includes(character)))
    .filter((alphabet) => alphabet.length > 0);
  const all = alphabets.flat();
  const characters = rules.RequireEachIncludedType ? alphabets.map(pick) : [];
  while (characters.length < rules.PasswordLength) characters.push(pick(all));
  // The required characters must not always come first.
  for (let index = characters.length - 1; index > 0; index -= 1) {
    const other = randomInt(index + 1);
    [characters[index], characters[other]] = [characters[other] ?? '', characters[index] ?? ''];
  }
  return characters.join('');
}

function pick(alphabet: readonly string[]): string {
  return alphabet[randomInt(alphabet.length)] ?? '';
}
