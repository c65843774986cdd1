export default {
  custody: {
    input: { target: './openapi.json' },
    output: {
      baseUrl: { getBaseUrlFromSpecification: true },
      mode: 'single',
      client: 'fetch',
      target: './made/orval/client.ts',
      clean: true,
    },
  },
}
