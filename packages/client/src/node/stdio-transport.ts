import process from 'node:process';
import type { Readable } from 'node:stream';
import {
  FaultReporter,
  createLineReader,
  parseMessages,
  receiveLimits,
  runGuarded,
  serializeMessage,
  systemClock,
} from '@portico/rpc';
import type { Clock, JSONRPCMessage, MessageExtraInfo, ReceiveLimits, Timer, Transport } from '@portico/rpc';
import { codecFor } from '@portico/spec';
import { SdkError } from '../errors.ts';
import type { StdioExitData } from '../errors.ts';
import { toLocalError } from '../local-error.ts';
import { DEFAULT_STDERR_LIMITS, createStderrTail } from '../stderr-tail.ts';
import type { StderrTail, StderrTailLimits } from '../stderr-tail.ts';
import type { ChildKeeper, KeptChild } from './child-keeper.ts';
import { controlChild, isRunning, startChild } from './child-process.ts';
import type { PipedChild } from './child-process.ts';
import { createChildStderr } from './child-stderr.ts';
import type { ChildStderr } from './child-stderr.ts';
import { getDefaultEnvironment } from './default-environment.ts';
import { createOutbox } from './outbox.ts';
import type { Outbox } from './outbox.ts';
import { serverKey } from './server-key.ts';
import { planSpawn } from './spawn-plan.ts';
import type { StdioServerParameters } from './spawn-plan.ts';
import { DEFAULT_STOP_WAITS, planStop, planSweep } from './stop-plan.ts';
import type { StopWaits } from './stop-plan.ts';
import { runStop } from './stop-sequence.ts';

/** What a transport over a child's streams takes beside the command. */
export interface StdioClientTransportOptions {
  readonly clock?: Clock;
  /** Receive limits; the largest message is `maxBufferSize`. */
  readonly limits?: Partial<ReceiveLimits>;
  readonly stopWaits?: Partial<StopWaits>;
  readonly stderrLimits?: Partial<StderrTailLimits>;
  /** Told of each line of the child's error output, control sequences removed. Must not throw. */
  readonly onstderr?: (line: string) => void;
  /** Keeps account of the children; nobody by default. */
  readonly keeper?: ChildKeeper;
}

const MAX_BUFFER_SIZE = 10 * 1024 * 1024;
/** How long the last output of a child that ended, or the end of one that fell silent, is waited for. */
const DRAIN_MS = 250;

/** Everything that belongs to one child; a transport that is started again gets a new one. */
interface Running {
  readonly child: PipedChild;
  readonly kept: KeptChild | undefined;
  readonly outbox: Outbox;
  readonly tail: StderrTail;
  closing: boolean;
  /** Runs from the child's end until its outputs have ended too. */
  draining: Timer | undefined;
  over: boolean;
  /** Tells how the run ended. */
  readonly ended: (how: 'closed' | 'lost') => void;
}

/**
 * Runs a server as a child process and talks to it over its standard streams.
 *
 * The child has no shell, leads a process group of its own and gets a minimal environment. `close`
 * resolves when nothing of the group is left: the input is closed, then the group is asked to end, then
 * it is killed. What left the group is for a `keeper` to find. A transport can be started again after it
 * has closed.
 *
 * `start` rejects with SdkError `STDIO_COMMAND_NOT_FOUND`, `STDIO_NOT_EXECUTABLE`,
 * `STDIO_FOLDER_NOT_FOUND` or `STDIO_SPAWN_FAILED`. A child that ends by itself is told to `onerror` as
 * `STDIO_EXITED`, right before `onclose`.
 */
export class StdioClientTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  /** A client that finds the child gone may start it once more. */
  readonly restartable = true;

  readonly #parameters: StdioServerParameters;
  readonly #options: StdioClientTransportOptions;
  readonly #clock: Clock;
  readonly #limits: ReceiveLimits;
  readonly #waits: StopWaits;
  #running: Running | undefined;
  /** While the system starts the child: settles when it has, or has not. */
  #starting: Promise<void> | undefined;
  #closeAsked = false;
  #lastTail: StderrTail | undefined;
  #stopped: Promise<void> = Promise.resolve();
  readonly #stderr: ChildStderr;
  readonly #faults: FaultReporter;
  /** The revision in force has arrays of messages. */
  #allowBatch = false;
  #ended: Promise<'closed' | 'lost'> = Promise.resolve('closed');

  constructor(parameters: StdioServerParameters, options: StdioClientTransportOptions = {}) {
    this.#parameters = parameters;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const maxMessageBytes = parameters.maxBufferSize ?? MAX_BUFFER_SIZE;
    this.#limits = receiveLimits({ ...options.limits, maxMessageBytes });
    this.#waits = { ...DEFAULT_STOP_WAITS, ...options.stopWaits };
    this.#stderr = createChildStderr(parameters.stderr ?? 'inherit');
    this.#faults = new FaultReporter(this.#clock, (error) => this.onerror?.(error));
  }

  /** The child's process id while it runs. */
  get pid(): number | null {
    return this.#running?.child.pid ?? null;
  }

  /** The child's error output, there before the start; null unless `pipe` or `overlapped` was asked for. */
  get stderr(): Readable | null {
    return this.#stderr.stream;
  }

  /** How the run that goes on, or went on last, ends: by a close from here, or by itself. */
  get ended(): Promise<'closed' | 'lost'> {
    return this.#ended;
  }

  setProtocolVersion(version: string): void {
    this.#allowBatch = codecFor(version)?.acceptsBatches === true;
  }

  /** The name under which the era of this server is remembered. */
  get serverKey(): string {
    return serverKey(this.#parameters);
  }

  /** The last lines of the child's error output, oldest first; kept after its end. */
  stderrTail(): readonly string[] {
    return this.#lastTail?.lines() ?? [];
  }

  async start(): Promise<void> {
    if (this.#running !== undefined || this.#starting !== undefined) {
      throw new SdkError('ALREADY_CONNECTED');
    }
    this.#closeAsked = false;
    this.#starting = this.#startChild();
    try {
      await this.#starting;
    } finally {
      this.#starting = undefined;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const running = this.#running;
    if (running === undefined || running.closing) {
      return Promise.reject(new SdkError('NOT_CONNECTED'));
    }
    try {
      return running.outbox.write(`${serializeMessage(message)}\n`);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  async close(): Promise<void> {
    if (this.#starting !== undefined) {
      this.#closeAsked = true;
      // How the start ends is told to whoever started.
      await this.#starting.catch(() => undefined);
    }
    const running = this.#running;
    if (running !== undefined && !running.closing) this.#shutDown(running, 'closed');
    await this.#stopped;
  }

  async #startChild(): Promise<void> {
    const kept = await this.#options.keeper?.expect(this.#parameters.command);
    const running = this.#attach(await this.#spawn(kept), kept);
    if (!this.#closeAsked) return;
    this.#shutDown(running, 'closed');
    throw new SdkError('CONNECTION_CLOSED', { message: 'closed while the child was starting' });
  }

  async #spawn(kept: KeptChild | undefined): Promise<PipedChild> {
    const { platform } = process;
    const inherited = getDefaultEnvironment();
    const env = { ...this.#parameters.env, ...kept?.env };
    try {
      const child = await startChild(planSpawn({ ...this.#parameters, env }, { platform, inherited }));
      kept?.started(child.pid);
      return child;
    } catch (error) {
      await kept?.ended();
      throw error;
    }
  }

  #attach(child: PipedChild, kept: KeptChild | undefined): Running {
    const { stderrLimits, onstderr } = this.#options;
    const tail = createStderrTail({ ...DEFAULT_STDERR_LIMITS, ...stderrLimits }, onstderr);
    const outbox = createOutbox(child.stdin);
    let ended: Running['ended'] = () => undefined;
    this.#ended = new Promise((resolve) => (ended = resolve));
    this.#allowBatch = false;
    const running: Running = {
      child,
      kept,
      outbox,
      tail,
      closing: false,
      draining: undefined,
      over: false,
      ended,
    };
    this.#running = running;
    this.#lastTail = tail;
    this.#readOutput(running);
    child.stderr?.on('data', (bytes: Uint8Array) => {
      tail.push(bytes);
      this.#stderr.push(bytes);
    });
    child.stderr?.on('error', () => undefined);
    child.stdin.on('error', (error) => this.#writeFailed(running, error));
    child.process.on('error', this.#faults.report);
    // All that it wrote has come then, last words on either output included.
    child.process.once('close', () => this.#finish(running));
    child.process.once('exit', () => this.#awaitLastOutput(running));
    // It may have ended before anybody listened.
    if (!isRunning(child.process)) this.#awaitLastOutput(running);
    return running;
  }

  #readOutput(running: Running): void {
    const { stdout } = running.child;
    const reader = createLineReader({
      maxLineBytes: this.#limits.maxMessageBytes,
      onLine: (line) => this.#receive(line, running),
      onError: (error) => {
        if (error.code === 'message_too_large') this.#giveUp(running, toLocalError(error));
        else this.#faults.report(toLocalError(error));
      },
    });
    stdout.on('data', (bytes: Uint8Array) => {
      if (!running.closing) reader.push(bytes);
    });
    stdout.on('error', (error) => this.#giveUp(running, toLocalError(error)));
    stdout.once('end', () => {
      if (!running.closing) reader.end();
      if (isRunning(running.child.process)) this.#clock.setTimer(DRAIN_MS, () => this.#outputClosed(running));
    });
  }

  #receive(line: string, running: Running): void {
    if (running.closing) return;
    let messages: readonly JSONRPCMessage[];
    try {
      messages = parseMessages(line, { limits: this.#limits, allowBatch: this.#allowBatch });
    } catch (error) {
      // Programs that greet on stdout are everyday; what they print is skipped and told.
      this.#faults.report(toLocalError(error));
      return;
    }
    for (const message of messages) {
      runGuarded('onmessage', () => this.onmessage?.(message), this.#faults.report);
    }
  }

  #writeFailed(running: Running, cause: Error): void {
    if (!isRunning(running.child.process)) return;
    this.#giveUp(running, new SdkError('SEND_FAILED', { cause }));
  }

  #outputClosed(running: Running): void {
    if (!isRunning(running.child.process)) return;
    this.#giveUp(running, new SdkError('CONNECTION_CLOSED', { message: 'the child closed its output' }));
  }

  /** The connection cannot go on although the child still runs. */
  #giveUp(running: Running, error: Error): void {
    if (running.closing || running.over) return;
    this.#faults.report(error);
    this.#shutDown(running, 'lost');
  }

  #shutDown(running: Running, how: 'closed' | 'lost'): void {
    running.closing = true;
    const { platform } = process;
    const plan = planStop(platform, running.child.pid, this.#waits);
    this.#stopped = this.#end(running, plan);
    this.#conclude(running, how);
  }

  async #end(running: Running, plan: ReturnType<typeof planStop>): Promise<void> {
    const { child } = running;
    const gone = await runStop(plan, controlChild(child, process.platform), this.#clock);
    if (!gone) this.#faults.report(new SdkError('STDIO_STOP_FAILED', { data: { pid: child.pid } }));
    running.tail.end();
    // Descendants may hold the other ends of the pipes; ours must not keep anything alive.
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr?.destroy();
    child.process.unref();
    await running.kept?.ended();
  }

  /** The child has ended: what it wrote last may still be on its way, or a descendant hold its outputs open. */
  #awaitLastOutput(running: Running): void {
    if (running.closing || running.over || running.draining !== undefined) return;
    // A loop that was busy for so long looks at its timers first, and at the outputs next.
    const look = (): void => void (running.draining = this.#clock.setTimer(0, () => this.#finish(running)));
    running.draining = this.#clock.setTimer(DRAIN_MS, look);
  }

  /** The child ended by itself. */
  #finish(running: Running): void {
    if (running.closing || running.over) return;
    running.closing = true;
    const { process: child, pid } = running.child;
    running.tail.end();
    const data: StdioExitData = {
      exitCode: child.exitCode,
      signal: child.signalCode,
      stderrTail: running.tail.lines(),
    };
    this.#stopped = this.#end(running, planSweep(process.platform, pid, this.#waits));
    this.#faults.report(new SdkError('STDIO_EXITED', { message: exitSentence(data), data }));
    this.#conclude(running, 'lost');
  }

  #conclude(running: Running, how: 'closed' | 'lost'): void {
    if (running.over) return;
    running.over = true;
    running.draining?.cancel();
    if (this.#running === running) this.#running = undefined;
    runGuarded('onclose', () => this.onclose?.(), this.#faults.report);
    this.#faults.end();
    running.ended(how);
  }
}

function exitSentence({ exitCode, signal }: StdioExitData): string {
  if (signal !== null) return `the server process was ended by ${signal}`;
  return `the server process ended with exit code ${String(exitCode)}`;
}
