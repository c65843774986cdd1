// Loaded before the program: each reading of the clock is a second later.
const real = Date.now
let passed = 0
Date.now = () => {
  passed += 1000
  return real() + passed
}
