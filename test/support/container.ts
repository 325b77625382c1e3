import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltImage, ImageConfig } from './container-image.ts';

/** The volume of a container, with the owner and the mode of the image's folder, as Docker creates it. */
export function createVolume({ rootfs, config }: BuiltImage, folder: string): string {
  const path = join(folder, 'volume');
  const { uid, gid, mode } = statSync(join(rootfs, volumeOf(config)));
  mkdirSync(path);
  execFileSync('chown', [`${uid}:${gid}`, path]);
  chmodSync(path, mode);
  return path;
}

const volumeOf = (config: ImageConfig): string => Object.keys(config.Volumes)[0] ?? '';

/** Of the base, what a container gets from Docker: the devices, and the names of this machine. */
const MOUNT_AND_RUN = `set -e
root=$1 volume=$2 place=$3 user=$4; shift 4
mount --bind "$root" "$root"
mount --bind "$volume" "$root$place"
mount --bind /etc/hosts "$root/etc/hosts"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for device in null zero random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,ro "$root/dev"
mount -o remount,bind,ro "$root"
cd /
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"`;

const inside = ({ WorkingDir, Env }: ImageConfig, env: Record<string, string>, command: string[]) => [
  ...['/usr/bin/env', '-i', `--chdir=${WorkingDir}`, ...Env],
  ...[...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...command],
];

/**
 * A command, with its arguments, that runs the image's program as process 1, as `docker run --read-only` with a volume
 * would: the user of the image, no new privileges, a read-only file system. Unlike Docker's, the container shares this
 * machine's network, and has no limits and no filter of system calls.
 */
export function containerCommand(
  { rootfs, config }: BuiltImage,
  { volume, env }: { volume: string; env: Record<string, string> },
): [command: string, ...args: string[]] {
  const namespaces = ['--mount', '--propagation=private', '--pid', '--fork', '--kill-child'];
  return [
    'unshare',
    ...[...namespaces, 'sh', '-c', MOUNT_AND_RUN, basename(rootfs)],
    ...[rootfs, volume, volumeOf(config), config.User],
    ...inside(config, env, [...config.Entrypoint, ...config.Cmd]),
  ];
}

/** Runs a command in the container whose process 1 has this id here, as `docker exec` does. Rejects if it fails. */
export function execInContainer(
  pid: number,
  { config, env, command }: { config: ImageConfig; env: Record<string, string>; command: string[] },
): Promise<string> {
  const [uid = '', gid = ''] = config.User.split(':');
  const namespaces = ['--mount', '--pid', '--root', '--wd', `--setuid=${uid}`, `--setgid=${gid}`];
  const args = [`--target=${pid}`, ...namespaces, ...inside(config, env, command)];
  return promisify(execFile)('nsenter', args).then(({ stdout }) => stdout);
}

/** Process 1 of the container that `unshare` runs. */
export function firstProcess(unshare: number): number {
  return Number.parseInt(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8'), 10);
}
