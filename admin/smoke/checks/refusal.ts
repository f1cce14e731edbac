import { DeleteFunctionConcurrencyCommand, LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { type Check, failed, notProvable, type Outcome, proved, secondsUntil } from '../check.ts';
import type { OwnOrganisation } from '../own-organisation.ts';
import { ofType, type SmokeTarget } from '../target.ts';
import { problemsOf } from './api.ts';
import { gatewayConfiguration } from './gateway.ts';

const advice = 'See DEFAULT_5XX in lib/constructs/gateway-responses.ts.';
const patienceSeconds = 60;

/** AWS does not document which gateway response a refused function gets, so this asks. */
export const refusalCheck = ({ key }: OwnOrganisation): Check => ({
  id: 'refused-function',
  assumption: 'A request whose function Lambda refuses gets a 503 with the envelope and Retry-After: 1.',
  async run(target) {
    if (target.kind !== 'aws') return notProvable('Only AWS refuses a function for its concurrency.');
    if (target.stage === 'dev') return refuse(target, key);
    const template = await gatewayConfiguration(target, ({ responseTemplate }) => responseTemplate('DEFAULT_5XX'));
    return template.includes('"dependency_unavailable"')
      ? notProvable('It would refuse requests of clients. API Gateway has the envelope of DEFAULT_5XX.')
      : failed('API Gateway does not have the envelope of DEFAULT_5XX.', advice);
  },
});

/** `dev` reserves no concurrency, so this is what a function had before. An interruption waits for the end of a check. */
async function refuse(target: SmokeTarget, key: string): Promise<Outcome> {
  const found = ofType(target, 'AWS::Lambda::Function').find(({ logicalId }) =>
    logicalId.startsWith('retrieveorganisation'),
  );
  if (found === undefined) return failed('retrieve-organisation has no function.', 'Deploy the service stack.');
  const FunctionName = found.physicalId;
  const lambda = new LambdaClient({ maxAttempts: 10 });
  const call = () => target.call('/v1/organisation', { key });
  try {
    let refused = await call();
    try {
      await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
      await secondsUntil(async () => {
        refused = await call();
        return refused.status !== 200;
      }, patienceSeconds);
    } finally {
      await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
    const problems = [
      ...problemsOf(refused, 503, 'dependency_unavailable'),
      ...(refused.headers['retry-after'] === '1' ? [] : ['without Retry-After: 1.']),
      ...(refused.text.includes('Idempotency-Key') ? [] : ['without the advice to repeat.']),
    ];
    if (problems.length > 0) return failed(`A refused request is wrong: ${problems.join(' ')}`, advice);
    const seconds = await secondsUntil(async () => (await call()).status === 200, patienceSeconds);
    return seconds === undefined
      ? failed(
          'The function does not answer again.',
          `aws lambda delete-function-concurrency --function-name ${FunctionName}`,
        )
      : proved(`503 while refused, and 200 again after ${seconds} s.`);
  } finally {
    lambda.destroy();
  }
}
