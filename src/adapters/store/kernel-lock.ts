import { createRequire } from 'node:module';

/** Locks of the kernel on an open file: gone with the process that holds them, however it ends. */
export interface KernelLocks {
  /** Whether the lock was got. Throws where the file system or the kernel has none. */
  tryLock(fd: number, kind: 'exclusive' | 'shared'): boolean;
}

interface NativeExtensions {
  tryLock(fd: number, options: { readonly shared: boolean }): boolean;
}

const load = createRequire(import.meta.url);

/** The kernel's locks through a native module, which is loaded at the first lock; without one for this system it throws. */
export const kernelLocks: KernelLocks = {
  tryLock: (fd, kind) => native().tryLock(fd, { shared: kind === 'shared' }),
};

/** Loads the native module, for when there is time. If that fails, the first lock tells. */
export function prepareLocks(): void {
  try {
    native();
  } catch {
    // Not every command that could take a lock comes to it.
  }
}

function native(): NativeExtensions {
  return load('fs-native-extensions');
}
