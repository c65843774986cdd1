import fc from 'fast-check'
import { expect, test } from 'vitest'
import { walksOf } from '../../src/domain/shortest-path.ts'

const size = 7
const graphs = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 20 })

function walks(edges: Array<[number, number]>) {
  const movesFrom = (node: number) =>
    edges.filter(([from]) => from === node).map(([from, to]) => ({ step: [from, to] as const, to }))
  return walksOf(movesFrom, String)(0)
}

/** Distances by Floyd and Warshall, as an independent judge. */
function distances(edges: Array<[number, number]>): number[] {
  const at = Array.from({ length: size }, (_, from) =>
    Array.from({ length: size }, (_, to) =>
      from === to ? 0 : edges.some(([f, t]) => f === from && t === to) ? 1 : Infinity,
    ),
  )
  for (let via = 0; via < size; via++)
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) {
        const around = at[from]![via]! + at[via]![to]!
        if (around < at[from]![to]!) at[from]![to] = around
      }
  return at[0]!
}

test('the search finds every reachable state once, by the fewest steps, and no other state', () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const found = walks(edges).map((walk) => [walk.state, walk.steps.length])
      const expected = distances(edges).map((distance, node) => [node, distance] as const)
      const byNode = [...found].sort(([a], [b]) => a! - b!)
      expect(byNode).toEqual(expected.filter(([, distance]) => distance < Infinity).map((each) => [...each]))
    }),
  )
})

test('the steps of a path lead from the start to its state', () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      for (const { state, steps } of walks(edges)) {
        let at = 0
        for (const [from, to] of steps) {
          expect(from).toBe(at)
          at = to
        }
        expect(at).toBe(state)
      }
    }),
  )
})

test('nearer states come first, and of equal paths the one listed first wins', () => {
  const found = walks([
    [0, 2],
    [0, 1],
    [1, 3],
    [2, 3],
  ])
  expect(found.map((walk) => walk.state)).toEqual([0, 2, 1, 3])
  expect(found.at(-1)?.steps).toEqual([
    [0, 2],
    [2, 3],
  ])
})
