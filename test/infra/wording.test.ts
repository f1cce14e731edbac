import { describe, expect, it } from 'vitest';
import { forbiddenTexts } from '../support/plain-words.ts';
import { readStack } from '../support/template.ts';

const types = [
  'AWS::ApiGateway::RestApi',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Lambda::Function',
  'AWS::SecretsManager::Secret',
];

describe('wording of the stack', () => {
  it.each(types)('the texts of %s use plain words', (type) => {
    const resources = readStack('prod').ofType(type);
    expect(resources).not.toEqual([]);
    const texts = resources.map(({ logicalId, Properties }) => [logicalId, Properties]);
    expect(forbiddenTexts(Object.fromEntries(texts))).toEqual([]);
  });
});
