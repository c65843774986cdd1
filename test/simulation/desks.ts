import { basename } from 'node:path'
import { Disk, setBytes, setName, sync } from './disk.ts'
import { trueTime } from './machine.ts'

/** A partner's two machines. */
export const desks = ['own', 'other'] as const
export type Desk = (typeof desks)[number]
export type Place = { partner: number; desk: Desk }

export const temporaryFolder = '/tmp'

let disks = new Map<string, Disk>()

/** The folder of a partner's files on its machine. */
export function folderOf({ partner, desk }: Place): string {
  return `/${partner} ${desk}`
}

export function diskOf(place: Place): Disk {
  return disks.get(folderOf(place))!
}

/** The partners' machines have empty disks. */
export function clearDesks(partners: number): void {
  const places = desks.flatMap((desk) =>
    Array.from({ length: partners }, (_, partner) => ({ partner, desk })),
  )
  disks = new Map(places.map((place) => [folderOf(place), diskWith(folderOf(place))]))
}

function diskWith(folder: string): Disk {
  const disk = new Disk()
  for (const path of [folder, temporaryFolder])
    setName(disk.root, { [path.slice(1)]: disk.make(true, 0o755) }, trueTime())
  sync(disk.root)
  return disk
}

/** The content of a file in the operator's folder; undefined if it does not exist. */
export function textIn(place: Place, path: string): string {
  const file = diskOf(place).root.names.get(folderOf(place).slice(1))?.names.get(basename(path))
  return `${file?.data ?? ''}`
}

/** A file that an operator made, safely on the disk. */
export function putFile(place: Place, name: string, content: string | Buffer): void {
  const disk = diskOf(place)
  const folder = disk.root.names.get(folderOf(place).slice(1))!
  const file = disk.make(false, 0o644)
  setBytes(file, Buffer.from(content), trueTime())
  sync(file)
  setName(folder, { [name]: file }, trueTime())
  sync(folder)
}
