/** The types of prepare for its tests. Prepare itself runs before TypeScript is installed. */
declare module '*/prepare/decisions.mjs' {
  export interface Machine {
    version: string;
    platform: string;
    arch: string;
  }
  export function nodeProblem(machine: Machine): string | undefined;
  export function nodeNotice(of: Machine & { ownVersion: string | undefined }): string | undefined;

  export function installStamp(of: { lockFile: string; platform: string; arch: string }): string;
  export function isStale(found: string | undefined, wanted: string): boolean;

  export function jdkMajor(text: string): number | undefined;
  export type JavaAdvice = { kind: 'install' } | { kind: 'tell'; command: string | undefined };
  export function javaAdvice(of: { platform: string; osRelease: string; isRoot: boolean }): JavaAdvice;
  export function javaMessage(command: string | undefined): string;
  export function debianPackage(of: { openjdk17Policy: string; defaultPolicy: string }): string | undefined;
}
