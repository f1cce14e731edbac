import { readFileSync, writeFileSync } from 'node:fs';
import { shapesOf } from './shape.ts';

const file = new URL('shapes.json', import.meta.url);

/** The shapes of all requests that the code sends. The property test of the table's model contains them all. */
export const knownShapes = (): readonly string[] => JSON.parse(readFileSync(file, 'utf8'));

const used = new Set<string>();

/** Records the shapes of a request to the model of the table. */
export function recordShapes(operation: string, input: Readonly<Record<string, unknown>>): void {
  for (const shape of shapesOf(operation, input)) used.add(shape);
}

/** Called after each test file: fails if its requests have shapes that are not compared with DynamoDB Local. `SHAPES=write` adds them. */
export function expectKnownShapes(): void {
  const known = knownShapes();
  const unknown = [...used].filter((shape) => !known.includes(shape));
  used.clear();
  if (unknown.length === 0) return;
  if (process.env.SHAPES === 'write') {
    writeFileSync(file, `${JSON.stringify([...known, ...unknown].sort(), undefined, 2)}\n`);
    return;
  }
  throw new Error(
    `The model of the table is not compared with DynamoDB Local for: ${unknown.join('; ')}. Run this file again with SHAPES=write, then test/data/table/model.test.ts.`,
  );
}
