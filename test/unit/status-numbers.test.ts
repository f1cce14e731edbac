import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A status of the API is one digit, one of HTTP is three. */
const bareNumber = /\bstatus(?:Id)?\s*[!=]==\s*\d(?!\d)/gi;

it('a status that is compared has a name: isPaidMember, hasOpenInstalments, publishedStatus', () => {
  const files = globSync('{shared,functions,admin,local/demo}/**/*.ts');
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const compared = readFileSync(file, 'utf8').match(bareNumber) ?? [];
    return compared.map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});
