@main enum Suzud { static func main() {} }
