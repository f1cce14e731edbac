import * as v from 'valibot';

/** A file, in the media type of its operation. The document states it as binary. */
export const File = v.pipe(v.string(), v.description('The file.'));
