import { join } from 'node:path';
import { demoSsoFile, demoToken, demoUsers, readDemoSso } from '../../local/demo/sso.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Group } from '../command.ts';
import { refusal, usageError } from '../failure.ts';
import { oneOf } from '../values/values.ts';
import { linkCommands } from './sso-link.ts';
import { providerCommands } from './sso-provider.ts';

const tokenCommand: Command = {
  name: 'token',
  summary: "Make a token for a user of the local run's demo identity provider, good for a day.",
  positionals: [],
  options: [{ name: 'user', value: demoUsers.join('|'), help: 'Whom it speaks of (default linked).' }],
  example: 'sso token --local --user unlinked',
  prepare(args) {
    const user = args.optional('user', oneOf(demoUsers)) ?? 'linked';
    if (!args.has('local')) throw usageError('Only the local run has demo users: add --local.', '--local');
    return async ({ localFolder, clock, out }) => {
      const demo = readDemoSso(join(localFolder, demoSsoFile));
      if (demo === undefined) throw refusal('not_running', 'Start Gateline first: npm start');
      const token = demoToken(demo, user, unixSeconds(clock));
      out.show({ org_id: demo.org_id, user, token }, token);
    };
  },
};

export const ssoGroup: Group = {
  name: 'sso',
  summary: 'Fans who sign in: identity providers of an organisation, and which customer each of their users is.',
  commands: [...providerCommands, ...linkCommands, tokenCommand],
};
