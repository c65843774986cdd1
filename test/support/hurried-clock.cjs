// Loaded before the program: a second passes each time that it looks at the clock.
const real = Date.now
let passed = 0
Date.now = () => {
  passed += 1000
  return real() + passed
}
