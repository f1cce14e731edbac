import { join } from 'node:path';
import { demoSsoFile, demoToken, demoUsers, readDemoSso } from '../../local/demo/sso.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { as, oneOf } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { refusal, usageError } from '../failure.ts';
import { addSsoLinkCommands } from './sso-link.ts';
import { addSsoProviderCommands } from './sso-provider.ts';

export function addSsoCommands(program: Program, cli: Cli): void {
  const group = program.command('sso').description('Register identity providers, and link their users to customers.');
  addSsoProviderCommands(group, cli);
  addSsoLinkCommands(group, cli);

  group
    .command('token')
    .description("Create a token for a user of the local run's demo identity provider. It is valid for a day.")
    .option(
      '--user <user>',
      `The user of the token: ${demoUsers.join(' or ')} (default: linked).`,
      as(oneOf(demoUsers)),
    )
    .addHelpText('after', example('sso token --local --user unlinked'))
    .action(({ user = 'linked' }, command) => {
      if (!command.optsWithGlobals().local) {
        throw usageError('Only the local run has demo users. Add --local.', '--local');
      }
      return cli.run(async ({ localFolder, clock, show }) => {
        const demo = readDemoSso(join(localFolder, demoSsoFile));
        if (demo === undefined) throw refusal('not_running', 'Start Gateline first: npm start');
        const token = demoToken(demo, user, unixSeconds(clock));
        show({ org_id: demo.org_id, user, token }, token);
      });
    });
}
