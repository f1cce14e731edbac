import { fileURLToPath } from 'node:url';
import { operations } from '../shared/operations/registry.ts';
import { tags } from '../shared/operations/tags.ts';
import { formatAndDescribe } from './new-operation/format.ts';
import { readRequest } from './new-operation/request.ts';
import { writeOperation } from './new-operation/write.ts';

/** `npm run new-operation -- <resource> <operation-id> <METHOD> <path>` */
const read = readRequest(process.argv.slice(2), operations);
if ('refusal' in read) {
  console.error(read.refusal);
  process.exitCode = 1;
} else {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const written = writeOperation(root, read, { operations, tags: Object.keys(tags) });
  formatAndDescribe(root, written.files);
  console.log(written.report);
}
