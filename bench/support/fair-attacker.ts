import { attacks } from './fair-attacks.ts'
import { moreAttacks } from './fair-more-attacks.ts'

/** node fair-attacker.ts ATTACK ORIGIN KEY SECONDS: prepares, says so, and attacks after the next line of input. */
const [name = '', origin = '', key = '', seconds = '10'] = process.argv.slice(2)
const attack = { ...attacks, ...moreAttacks }[name]
if (!attack) throw new Error(`no attack is called ${name}`)
const prepared = (await attack.prepare?.(origin, key)) ?? ''
console.log('prepared')
await new Promise((resolve) => process.stdin.once('data', resolve))
const until = performance.now() + Number(seconds) * 1000
setTimeout(() => process.exit(0), Number(seconds) * 1000)
let turns = 0
const one = async (): Promise<void> => {
  while (performance.now() < until) {
    turns += 1
    await attack.turn({ origin, key, prepared, at: turns })
  }
}
await Promise.all(Array.from({ length: attack.connections }, one))
process.exit(0)
