import type { Origin } from './target.ts'

export function originText({ source, name }: Origin): string {
  switch (source) {
    case 'flag':
    case 'environment':
    case 'current':
      return name
    case 'profile':
      return `profile ${name}`
    case 'default':
      return 'default'
    default:
      throw source satisfies never
  }
}
