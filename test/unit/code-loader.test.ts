import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadHandlerModule, saveCompiledCode } from '../../local/cloud/lambda/runtime/code-loader.ts';
import { fieldsOf } from '../support/fields-of.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateline-code-'));
  writeFileSync(join(folder, 'index.js'), 'exports.double = (number) => 2 * number;');
});
afterEach(() => rmSync(folder, { recursive: true }));

const compiled = () => join(folder, 'index.js.compiled');
const doubled = (): unknown => {
  const { double } = fieldsOf(loadHandlerModule(folder, 'index'));
  return typeof double === 'function' && double(21);
};

describe('compiled code of a local function', () => {
  it('the compiled code is saved once the function has run, and the next instance loads it', () => {
    expect(doubled()).toBe(42);
    expect(existsSync(compiled())).toBe(false);
    saveCompiledCode();
    const savedMs = statSync(compiled()).mtimeMs;
    expect(doubled()).toBe(42);
    // Nothing is saved again, because V8 accepted what was saved.
    saveCompiledCode();
    expect(statSync(compiled()).mtimeMs).toBe(savedMs);
  });

  it('compiled code that V8 refuses is compiled again and replaced', () => {
    writeFileSync(compiled(), 'of another version');
    expect(doubled()).toBe(42);
    saveCompiledCode();
    expect(statSync(compiled()).size).toBeGreaterThan('of another version'.length);
  });

  it('a function runs where its compiled code can neither be read nor saved', () => {
    mkdirSync(join(compiled(), 'in-the-way'), { recursive: true });
    expect(doubled()).toBe(42);
    saveCompiledCode();
    expect(readdirSync(folder).sort()).toEqual(['index.js', 'index.js.compiled']);
    expect(doubled()).toBe(42);
  });
});
