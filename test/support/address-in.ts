/** The address of a schema of the server. */
export function addressIn(url: string, schema: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.set('options', `${given} -c search_path=${schema}`)
  return address.href
}
