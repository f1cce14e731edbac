const pollMs = 500;

/**
 * `npm start` is npm with this process below it. When npm is killed outright nobody tells us, except that we get another
 * parent; then we end too. Started in any other way we may outlive our parent, as a program under nohup should.
 */
export function endWithParent(end: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, pollMs).unref();
}
