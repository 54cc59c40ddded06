// The faults: what each does to the topology, and how it is undone.

/**
 * One kind of fault. `begin` makes it and gives what undoes it; without that, it needs no undoing.
 *
 * @typedef {{ name: string, planned?: boolean, needsNetwork?: boolean, begin: () => Promise<(() => void) | undefined> }} Fault
 */

/**
 * Every kind of fault of a topology.
 *
 * @param {import('./topology.js').Topology} topology
 * @param {() => number} random
 * @returns {Fault[]}
 */
export function makeFaults(topology, random) {
  const anyOf = (machines) => async () => machines[Math.floor(random() * machines.length)];
  const targets = {
    'the primary': () => topology.findPrimary(),
    'the synchronous standby': () => topology.findStandby(),
    'an etcd member': anyOf(topology.etcd),
    'a server': anyOf(topology.servers),
  };
  const kill = async (machine) => {
    await machine.kill();
    return () => topology.startOn(machine);
  };
  const pause = async (machine) => {
    machine.pause();
    return () => machine.resume();
  };
  const partition = async (machine) => {
    machine.disconnect();
    return () => machine.connect();
  };
  const faults = Object.entries(targets).flatMap(([target, find]) => [
    { name: `kill ${target}`, begin: async () => kill(await find()) },
    { name: `pause ${target}`, begin: async () => pause(await find()) },
    {
      name: `partition ${target}`,
      needsNetwork: true,
      begin: async () => partition(await find()),
    },
  ]);
  const switchover = {
    name: 'switch over',
    planned: true,
    begin: async () => {
      await topology.switchOver();
      return undefined;
    },
  };
  return [...faults, switchover];
}
