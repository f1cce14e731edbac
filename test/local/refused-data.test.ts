import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCloud } from '../../local/cloud/cloud.ts';
import { CloudError } from '../../local/cloud/cloud-error.ts';
import { openDataFolder } from '../../local/cloud/data-folder.ts';
import { processStart } from '../../local/cloud/processes/process-start.ts';
import { isThorough } from '../support/thorough.ts';

describe('the local cloud refuses a data folder that it cannot use', () => {
  test.each([
    ['secrets.json', '{"a', 'folder'],
    ['secrets.json', '', 'folder'],
    ['secrets.json', '{"arn":{"value":1}}', 'folder'],
    ['unfinished-tables.json', '{}', 'folder'],
    ['format.json', 'null', 'folder'],
    ['stream-positions.json', '{"Mapping":{"shard', 'file'],
    ['shared-local-instance.db', '', 'folder'],
    ['shared-local-instance.db', 'x'.repeat(100_000), 'folder'],
    // Java takes seconds to find it.
    ...(isThorough
      ? [['shared-local-instance.db', 'SQLite format 3\0'.padEnd(100_000, '\u0001'), 'folder'] as const]
      : []),
  ] as const)('the local cloud refuses a damaged %s (%#)', async (name, content, remedy) => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    const file = join(folder, name);
    writeFileSync(join(folder, 'format.json'), JSON.stringify({ format: 7 }));
    writeFileSync(join(folder, 'secrets.json'), '{}');
    writeFileSync(join(folder, 'shared-local-instance.db'), 'not read, because the other file is refused first');
    writeFileSync(file, content);
    const message =
      remedy === 'file'
        ? `The file ${file} is damaged. Delete it and start again: rm ${file}`
        : `The file ${file} is damaged. Restore it, or delete the data folder and start again: rm -r ${folder}`;
    // The database is reported while the stack is still being synthesized.
    const synthesis = new Promise<string>(() => {});
    const refused = startCloud({ assemblyDir: () => synthesis, port: 0, data: { folder, format: 7 } });
    await expect(refused).rejects.toThrow(new CloudError(message));
    expect(existsSync(join(folder, 'in-use-by'))).toBe(false);
    rmSync(folder, { recursive: true });
  });

  test('the local cloud refuses a folder that another process uses, and ignores a lock whose process has ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    const lock = join(folder, 'in-use-by');
    const open = () => openDataFolder({ folder });
    const other = spawn('sleep', ['600']);
    const pid = other.pid ?? 0;
    writeFileSync(lock, `${pid} ${processStart(pid)}`);
    expect(open).toThrow(`The data folder ${folder} is in use by process ${pid}.`);
    expect(existsSync(lock)).toBe(true);
    // The process id of a killed run now belongs to another program, the process has ended, or the file was cut off.
    other.kill();
    await once(other, 'exit');
    for (const stale of [`${process.ppid} another time`, `${pid} some time`, String(pid), '', 'not a number']) {
      writeFileSync(lock, stale);
      const files = open();
      expect(readFileSync(lock, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
      files.close();
      expect(existsSync(lock)).toBe(false);
    }
    rmSync(folder, { recursive: true });
  });
});
