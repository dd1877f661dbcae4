import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startServer } from '../server.ts'
export const needs = ['supervisord', 'python3']

const CHANGES = 'what a call does to objects of which it shows nothing is not learned from XML-RPC'
export const short = { 'by rule': CHANGES }

/** Supervisor's XML-RPC, with three programs of which two run. */
export function start(directory) {
  const configFor = (port) => {
    const file = join(directory, 'supervisord.conf')
    const programs = ['web', 'worker', 'mail'].map(
      (name) => `[program:${name}]\ncommand=/bin/sleep 1000\nautostart=${name !== 'mail'}\nstartsecs=0\n`,
    )
    writeFileSync(
      file,
      `[inet_http_server]
port=127.0.0.1:${port}
[supervisord]
nodaemon=true
logfile=${directory}/log
pidfile=${directory}/pid
childlogdir=${directory}
${process.getuid() === 0 ? 'user=root' : ''}
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
${programs.join('')}`,
    )
    return file
  }
  return startServer('supervisord', (port) => ['-c', configFor(port)])
}

/** The client of Python's library: a call a line, and what comes of it. */
const CLIENT = `
import sys, json, xmlrpc.client
s = xmlrpc.client.ServerProxy(sys.argv[1] + '/RPC2')
for line in sys.stdin:
    name, args = json.loads(line)
    try:
        f = s
        for part in name.split('.'): f = getattr(f, part)
        print(json.dumps(['ok', f(*args)], default=str), flush=True)
    except xmlrpc.client.Fault as e:
        print(json.dumps(['fault', e.faultCode, e.faultString]), flush=True)
    except Exception as e:
        print(json.dumps(['error', str(e)]), flush=True)
`

export async function session(base, which, check) {
  const programs = which === 'A' ? ['web', 'worker', 'mail'] : ['worker', 'mail', 'web']
  const own = (name) => `supervisor.${name}`
  /** @type {[name: string, args: unknown[], kind: 'ok' | 'fault', isRight?: (answer: any[]) => boolean][]} */
  const steps = [
    ['system.listMethods', [], 'ok'],
    [own('getAPIVersion'), [], 'ok'],
    [own('getSupervisorVersion'), [], 'ok'],
    [own('getState'), [], 'ok'],
    [own('getIdentification'), [], 'ok'],
    [own('getAllProcessInfo'), [], 'ok'],
    ...programs.map((name) => [own('getProcessInfo'), [name], 'ok']),
    [own('stopProcess'), ['web'], 'ok'],
    [own('getProcessInfo'), ['web'], 'ok', ([, info]) => info.statename === 'STOPPED'],
    [own('stopProcess'), ['web'], 'fault'],
    [own('startProcess'), ['web'], 'ok'],
    [own('getProcessInfo'), ['web'], 'ok', ([, info]) => info.statename === 'RUNNING'],
    [own('startProcess'), ['worker'], 'fault'],
    [own('startProcess'), ['mail'], 'ok'],
    [own('getProcessInfo'), ['mail'], 'ok', ([, info]) => info.statename === 'RUNNING'],
    [own('stopProcess'), [programs[1]], 'ok'],
    [own('getProcessInfo'), [programs[1]], 'ok', ([, info]) => info.statename === 'STOPPED'],
    [own('startProcess'), [programs[1]], 'ok'],
    [own('getProcessInfo'), ['nope'], 'fault', ([, , text]) => text.includes('BAD_NAME')],
    [
      own('startProcess'),
      [which === 'A' ? 'none' : 'gone'],
      'fault',
      ([, , text]) => text.includes('BAD_NAME'),
    ],
    [own('stopProcess'), ['unknown'], 'fault'],
    [own('stopAllProcesses'), [], 'ok'],
    [own('getAllProcessInfo'), [], 'ok', ([, info]) => info.every((each) => each.statename === 'STOPPED')],
    ...(which === 'A' ? [] : [[own('stopProcess'), ['mail'], 'fault']]),
    [own('startAllProcesses'), [], 'ok'],
    [own('getAllProcessInfo'), [], 'ok', ([, info]) => info.every((each) => each.statename === 'RUNNING')],
    [own('noSuchMethod'), [], 'fault'],
    [own('getProcessInfo'), [], 'fault'],
    ['system.methodHelp', [own('getState')], 'ok'],
    ['system.methodSignature', [own('getState')], 'ok'],
    [own('readLog'), [0, 10], 'ok'],
    [own('readProcessStdoutLog'), [programs[0], 0, 10], 'ok'],
    [own('tailProcessStdoutLog'), [programs[0], 0, 10], 'ok'],
    [own('clearProcessLogs'), [programs[0]], 'ok'],
    [own('sendProcessStdin'), [programs[0], 'hi'], 'ok'],
    [
      'system.multicall',
      [
        [
          { methodName: own('getState'), params: [] },
          { methodName: own('getPID'), params: [] },
        ],
      ],
      'ok',
    ],
  ]
  const child = spawn('python3', ['-c', CLIENT, base], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  for (const [name, args, kind, isRight = () => true] of steps)
    await check(
      `${name}: ${kind}`,
      async () => {
        child.stdin.write(`${JSON.stringify([name, args])}\n`)
        return JSON.parse((await lines.next()).value)
      },
      (answer) => answer?.[0] === kind && isRight(answer),
    )
  child.stdin.end()
}
